import { awaitUnlessAborted } from "@reports/core/base";
import {
  mainReportSource,
  sourceNameOf,
  type PreviewReader,
  type ReportSources,
  type ReportTypeDefinition,
  type RowCountEstimate,
} from "@reports/core/report";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { splitHostUrls, tryHosts } from "../database/host-urls.ts";
import {
  createListConnectionPool,
  createReadTimeoutErrors,
  type ListConnectionPool,
} from "../database/list-connection-pool.ts";
import type { Queries } from "../database/queries.ts";
import { serviceSearchPath } from "../database/session-settings.ts";
import { readFormatThroughputs } from "../reports/report-paces.ts";
import { readPreviousRowCount } from "../reports/previous-row-count.ts";
import { mapPreviewSourceError } from "./report-error.ts";
import { sourceEngineProperties, type SourceEngineProperties } from "./source-engine-properties.ts";
import { buildFirstRowsSelect, createReportQueryBuilder } from "./report-query.ts";
import { readFilterValuesFromView } from "./filter-values.ts";
import type { RowCountResult } from "./cached-row-counter.ts";
import type { RowEstimator } from "./row-estimator.ts";
import { applySourceSettingsTo } from "../database/source-session-options.ts";
import { assertViewColumnTypesByQuery } from "./view-shape.ts";

/** `connections` is the maximum per host of a source. `deadlineMs` includes the wait for a connection. */
export interface PreviewLimits {
  readonly connections: number;
  readonly deadlineMs: number;
}

/** Planner cost up to which a forecast counts rows exactly: a sequential read of about 100,000 rows, or 0.1 s. */
const maxCountCost = 10_000;

const unknownCount: RowCountResult = { kind: "unknown" };

const planSchema = z.tuple([z.object({ Plan: z.object({ "Plan Rows": z.number(), "Total Cost": z.number() }) })]);
const cellsSchema = z.array(z.string().nullable());

/** Creates the reader of previews. It connects to a host of a source at the first read. `sizes` counts the rows of sources without statistics. */
export function createReportPreviewReader(
  sources: ReportSources,
  { connections, deadlineMs }: PreviewLimits,
  sizes: Pick<RowEstimator, "count">,
): PreviewReader & { close(): Promise<void> } {
  const open = (url: string, _: number, { length: hosts }: readonly string[]): ListConnectionPool =>
    createListConnectionPool({
      url,
      database: "source",
      max: connections,
      deadlineMs,
      applicationName: "reports-previews",
      // If all hosts but one accept no connection, there is still time for the read.
      connectTimeoutMs: deadlineMs / (hosts + 1),
      timeoutErrors: previewTimeoutErrors,
    });
  const bySource = new Map(
    Object.entries(sources).map(([name, { url, engine }]) => [
      name,
      { hosts: splitHostUrls(url).map(open), engine: sourceEngineProperties[engine] },
    ]),
  );
  const ownHosts = bySource.get(mainReportSource)?.hosts ?? [];
  const sourceOf = (definition: Pick<ReportTypeDefinition, "rows">) => bySource.get(sourceNameOf(definition) ?? "");
  const readPreviousRows = async (
    { atLeast }: Extract<RowCountResult, { readonly kind: "many" }>,
    { definition: { type }, searchParam }: Parameters<PreviewReader["forecast"]>[0],
    signal: AbortSignal,
  ): Promise<number | null> => {
    try {
      const rows = await readFromFirstHost(ownHosts, signal, async (queries) =>
        readPreviousRowCount(queries, type, searchParam),
      );
      return rows === null || rows < atLeast ? null : rows;
    } catch {
      signal.throwIfAborted();
      return null;
    }
  };

  return {
    covers: (definition) => sourceOf(definition) !== undefined,
    async readRows(request, signal) {
      const { definition } = request;
      const { hosts, engine } = sourceOf(definition) ?? { hosts: [], engine: sourceEngineProperties.postgres };
      try {
        return await readFromFirstHost(hosts, signal, async (queries) => {
          await prepareSession(queries, definition, engine, deadlineMs);
          await assertViewColumnTypesByQuery(queries, definition);
          const rows = await queries.execute<{ cells: string }>(buildFirstRowsSelect(request, request.limit));
          return [...rows].map(({ cells }) => cellsSchema.parse(JSON.parse(cells)));
        });
      } catch (error) {
        signal.throwIfAborted();
        throw mapPreviewSourceError(error, definition);
      }
    },
    async readFilterValues(request, signal) {
      const { definition } = request;
      const { hosts, engine } = sourceOf(definition) ?? { hosts: [], engine: sourceEngineProperties.postgres };
      return readFromFirstHost(hosts, signal, async (queries) => {
        await prepareSession(queries, definition, engine, deadlineMs);
        return readFilterValuesFromView(queries, request);
      });
    },
    async forecast(request, signal) {
      const { definition } = request;
      const { hosts, engine } = sourceOf(definition) ?? { hosts: [], engine: undefined };
      if (engine === undefined) return null;
      const { maxRows: sourceMaxRows } = engine;
      const counted = await awaitUnlessAborted(sizes.count(request), signal);
      const count = counted.kind === "unasked" && engine.sizes === "counted" ? unknownCount : counted;
      if (count.kind !== "has-statistics" && count.kind !== "unasked") {
        const past = count.kind === "many" ? await readPreviousRows(count, request, signal) : null;
        return forecastOf(count, past, sourceMaxRows);
      }
      let planned: RowCountEstimate | null = null;
      try {
        return await readFromFirstHost(hosts, signal, async (queries) => {
          await prepareSession(queries, definition, engine, deadlineMs);
          const select = createReportQueryBuilder(request).select([]);
          const [row] = await queries.execute(sql`explain (format json) ${select}`);
          const { "Plan Rows": rows, "Total Cost": cost } = planSchema.parse(row!["QUERY PLAN"])[0].Plan;
          planned = { rows, rowsAre: "PLANNED", sourceMaxRows };
          if (cost > maxCountCost) return planned;
          const [counted] = await queries.execute(sql`select count(*) as rows from (${select}) counted`);
          return { ...planned, rows: Number(counted!["rows"]), rowsAre: "EXACT" };
        });
      } catch {
        signal.throwIfAborted();
        return planned;
      }
    },
    async readPaces(request, signal) {
      try {
        return await readFromFirstHost(ownHosts, signal, async (queries) => readFormatThroughputs(queries, request));
      } catch {
        signal.throwIfAborted();
        return [];
      }
    },
    close: async () => {
      const all = [...bySource.values()].flatMap(({ hosts }) => hosts);
      await Promise.all(all.map(async (host) => host.close()));
    },
  };
}

function forecastOf(count: RowCountResult, past: number | null, sourceMaxRows: number | null): RowCountEstimate | null {
  if (count.kind === "unknown") return null;
  if (count.kind === "counted") return { rows: count.rows, rowsAre: "EXACT", sourceMaxRows };
  return past === null
    ? { rows: null, rowsAre: null, sourceMaxRows }
    : { rows: past, rowsAre: "PREVIOUS", sourceMaxRows };
}

/** Applies settings that make texts equal to those of a report. The session becomes read-only, so functions of views can't write. */
async function prepareSession(
  queries: Queries,
  { rows }: Pick<ReportTypeDefinition, "rows">,
  { mayRefuse }: SourceEngineProperties,
  deadlineMs: number,
): Promise<void> {
  await applySourceSettingsTo(queries, {
    mayRefuse,
    settings: {
      statement_timeout: String(deadlineMs),
      max_parallel_workers_per_gather: "0",
      default_transaction_read_only: "on",
    },
  });
  await queries.execute(
    rows.kind === "relation"
      ? sql`select set_config('search_path', ${serviceSearchPath}, false)`
      : sql`reset search_path`,
  );
}

async function readFromFirstHost<T>(
  hosts: readonly ListConnectionPool[],
  signal: AbortSignal,
  read: (queries: Queries) => Promise<T>,
): Promise<T> {
  return tryHosts(hosts, async (host) => host.read(read, signal));
}

const previewTimeoutErrors = createReadTimeoutErrors(
  "preview",
  "Add a filter, or sort by fewer columns or by the default.",
);
