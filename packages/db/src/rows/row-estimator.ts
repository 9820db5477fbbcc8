import { mainReportSource, sourceNameOf, type ReportTypeDefinition, type ViewRows } from "@reports/core/report";
import { awaitUnlessAborted } from "@reports/core/base";
import type { SearchParam } from "@reports/core/query";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { hasStatistics } from "./reads-other-servers.ts";
import { createReportQueryBuilder } from "./report-query.ts";
import { createCachedRowCounter, type RowCountRequest, type RowCountResult } from "./cached-row-counter.ts";
import {
  isHostUnavailableError,
  createMainSourceDatabase,
  type SourceDatabase,
  type SourceDatabases,
} from "./source-databases.ts";

/** Estimates rows to choose a lane: Infinity if counting takes too long, null if unknown. Never rejects, and takes at most 500 ms. */
export type EstimateRows = (
  definition: ReportTypeDefinition,
  searchParam: SearchParam,
  timezone: string,
) => Promise<number | null>;

export interface RowEstimator {
  readonly estimate: EstimateRows;
  /**
   * Counts the rows of a type without usable statistics. Resolves to `unasked` if the source didn't answer whether it has statistics. Never rejects.
   */
  count(
    request: RowCountRequest,
  ): Promise<RowCountResult | { readonly kind: "has-statistics" } | { readonly kind: "unasked" }>;
}

/** A report of a relation with at most this many rows is always short. So the planner is not asked how many rows its filters select. */
const maxSmallRows = 20_000;
const sizeCachedMs = 60_000;
const maxRelations = 1_000;
/** After a source was unavailable, starts don't query it for this time in ms. */
const skipAfterFailureMs = 30_000;
const startTimeoutMs = 500;

const planSchema = z.tuple([z.object({ Plan: z.object({ "Plan Rows": z.number() }) })]);

type EstimateSource = Omit<SourceDatabase, "close">;

/**
 * Reads the size of a relation from statistics, cached for a minute. If filters narrow a large relation, asks the planner. Counts the rows of types
 * without statistics. `database` is the source `main`.
 */
export function createRowEstimator(
  database: Database,
  sources: SourceDatabases,
  { timeoutMs = startTimeoutMs, countMs }: { readonly timeoutMs?: number; readonly countMs?: number } = {},
): RowEstimator {
  const main = createMainSourceDatabase(database, countMs === undefined ? {} : { countMs });
  const all = new Map<string, EstimateSource>([...sources, [mainReportSource, main]]);
  const counts = createCachedRowCounter();
  const sizes = new LRUCache<string, number | "counted">({ max: maxRelations, ttl: sizeCachedMs });
  const failed = new LRUCache<string, true>({ max: maxRelations, ttl: skipAfterFailureMs });

  /**
   * Returns the number of rows of a type without filters, from statistics or the planner. Returns "counted" for a type without statistics, whose rows
   * are then counted per request.
   */
  const readSize = async (definition: ReportTypeDefinition, queries: Queries): Promise<number | "counted"> => {
    const { rows } = definition;
    if (rows.kind !== "objects") {
      const relation = rows.kind === "view" ? rows.view : rows.relation;
      if (!(await hasStatistics(queries, relation))) return "counted";
      const size = await storedRows(relation, queries);
      // A view has no statistics, and fixed conditions may exclude most rows of a table. Only the planner can estimate these.
      if (size !== null && definition.where.length === 0) return size;
    }
    return plannedRows(definition, {}, "UTC", queries);
  };

  const sizeOf = async (definition: ReportTypeDefinition, { engine, hosts }: EstimateSource) => {
    if (engine.sizes === "counted" || hasParameters(definition)) return "counted";
    const known = sizes.get(definition.type);
    if (known !== undefined) return known;
    const size = await readFromAnyHost(hosts, async ({ plan }) =>
      plan(async (queries) => readSize(definition, queries)),
    );
    sizes.set(definition.type, size);
    return size;
  };

  /** Returns null if the type's source is unavailable or was so in the last 30 s. The service's own database is always asked. */
  const ask = async <T>(definition: ReportTypeDefinition, read: (source: EstimateSource) => Promise<T>) => {
    const name = sourceNameOf(definition);
    const source = name === null ? undefined : all.get(name);
    if (name === null || source === undefined || failed.has(name)) return null;
    try {
      return await read(source);
    } catch (error) {
      if (name !== mainReportSource && isHostUnavailableError(error)) failed.set(name, true);
      return null;
    }
  };

  const countRows = async (request: RowCountRequest, hosts: EstimateSource["hosts"]): Promise<RowCountResult> => {
    const counted = await counts.count(request, hosts);
    const name = sourceNameOf(request.definition);
    if (counted.kind === "unknown" && counted.isUnavailable === true && name !== null && name !== mainReportSource)
      failed.set(name, true);
    return counted;
  };

  return {
    estimate: async (definition, searchParam, timezone) => {
      const request = { definition, searchParam, timezone };
      const estimating = ask<number | null>(definition, async (source) => {
        const size = await sizeOf(definition, source);
        if (size === "counted") return rowsOfCount(await countRows(request, source.hosts));
        if (size <= maxSmallRows || Object.keys(searchParam).length === 0) return size;
        return readFromAnyHost(source.hosts, async ({ plan }) =>
          plan(async (queries) => plannedRows(definition, searchParam, timezone, queries)),
        );
      });
      // If the size of the table is known only after the timeout, it is still cached for the next start.
      return awaitUnlessAborted(estimating, AbortSignal.timeout(timeoutMs)).catch(() =>
        counts.isRunning(request) ? Infinity : null,
      );
    },
    count: async (request) => {
      const { definition } = request;
      const counted = await ask<Awaited<ReturnType<RowEstimator["count"]>>>(definition, async (source) =>
        (await sizeOf(definition, source)) === "counted"
          ? countRows(request, source.hosts)
          : { kind: "has-statistics" },
      );
      return counted ?? { kind: sizes.get(definition.type) === "counted" ? "unknown" : "unasked" };
    },
  };
}

function hasParameters({ rows }: ReportTypeDefinition): boolean {
  return rows.kind === "view" && rows.parameters !== undefined;
}

function rowsOfCount(count: RowCountResult): number | null {
  switch (count.kind) {
    case "counted":
      return count.rows;
    case "many":
      return Infinity;
    case "unknown":
      return null;
  }
}

/** Returns the first host's answer. If no host answers, rejects with the error of a query rather than that of a lost connection. */
async function readFromAnyHost<Host, T>(hosts: readonly Host[], read: (host: Host) => Promise<T>): Promise<T> {
  let failure: unknown;
  for (const host of hosts) {
    try {
      return await read(host);
    } catch (error) {
      if (failure === undefined || isHostUnavailableError(failure)) failure = error;
    }
  }
  throw failure;
}

async function storedRows(relation: ViewRows["view"], queries: Queries): Promise<number | null> {
  const found = await queries.execute(
    sql`select case when relkind in ('r', 'm') then greatest(reltuples, 0)::float end as rows from pg_class where oid = to_regclass(${relation})`,
  );
  const rows = found[0]?.["rows"];
  return typeof rows === "number" ? rows : null;
}

async function plannedRows(
  definition: ReportTypeDefinition,
  searchParam: SearchParam,
  timezone: string,
  queries: Queries,
): Promise<number> {
  const { select } = createReportQueryBuilder({ definition, searchParam, timezone });
  const [row] = await queries.execute(sql`explain (format json) ${select([])}`);
  return planSchema.parse(row!["QUERY PLAN"])[0].Plan["Plan Rows"];
}
