import { Readable } from "node:stream";
import { PermanentReportError } from "@reports/core/base";
import type {
  ReportSourceEngine,
  ReportSourceSettings,
  ReportWarning,
  RowRequest,
  RowSourceReader,
  RowStream,
} from "@reports/core/report";
import type { Client } from "pg";
import { openCopyStream } from "./copy-stream.ts";
import {
  type BoundQuery,
  destroySocket,
  quoteLiterals,
  readTextRows,
  terminatePostgresBackend,
  type TextRow,
  replaceQueryPlaceholders,
} from "../database/pg-connection.ts";
import { serviceSearchPath } from "../database/session-settings.ts";
import { mapAttemptSourceError } from "./report-error.ts";
import { createReportConnections, type ReportConnection } from "./report-connections.ts";
import { readsOtherServers } from "./reads-other-servers.ts";
import {
  snapshotNotGlobalWarning,
  sourceEngineProperties,
  type SourceEngineProperties,
} from "./source-engine-properties.ts";
import { buildCountQuery, buildRowsQuery } from "./report-query.ts";
import { noSummaryQueries, buildSummaryQueries, type SummaryQueries } from "./report-summary.ts";
import { assertViewColumnTypes } from "./view-shape.ts";

export interface RowSourceReaderOptions extends Omit<ReportSourceSettings, "engine"> {
  readonly engine?: ReportSourceEngine;
  /**
   * Age in ms of a replica's rows above which a report has a warning. Default: 75,000. Some roles can't read pg_stat_wal_receiver and know the age
   * only to a minute.
   */
  readonly lagWarningMs?: number;
  readonly connectTimeoutMs?: number;
  /**
   * Maximum age in ms of a connection that the next report reuses. A new connection plans its first queries slowly. Default: 0, which opens a new
   * connection per report.
   */
  readonly reuseMs?: number;
  /**
   * Maximum number of Postgres's parallel workers per query, if the server allows as many. Default: the server decides. Exception: a report with a
   * summary uses none on the server of `primaryUrl`, where the API's statements run (docs/decisions/0112-summaries-use-no-parallel-workers.md).
   */
  readonly parallelWorkers?: number | undefined;
}

/**
 * Creates the reader of relations and views, whose rows are the bytes of a COPY. Each running report has a dedicated connection, because a COPY can
 * be stopped only by closing its connection. Count, summary and rows share a snapshot if the engine supports it.
 */
export function createRowSourceReader(options: RowSourceReaderOptions): RowSourceReader {
  const engine = sourceEngineProperties[options.engine ?? "postgres"];
  const connection = {
    database: "source" as const,
    session: {
      mayRefuse: engine.mayRefuse,
      // Makes Postgres end a query that sends no rows when its client is gone. On platforms without this setting, `terminatePostgresBackend` ends
      // the query.
      settings: { client_connection_check_interval: "2s" },
    },
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    applicationName: "reports-rows",
  };
  const connectTo = (url: string) =>
    createReportConnections({ ...connection, url }, { begin: engine.begin, reuseMs: options.reuseMs ?? 0 });
  const usual = connectTo(options.url);
  const primaryUrl = options.primaryUrl ?? options.url;
  const primary = primaryUrl === options.url ? usual : connectTo(primaryUrl);
  return {
    async open(request) {
      const isLastServer = (request.attempt ?? 1) >= primaryFromAttempt;
      const connections = isLastServer ? primary : usual;
      const isApiServer = options.primaryUrl !== undefined && connections === primary;
      const begunAt = performance.now();
      const mapError = (error: unknown): unknown =>
        mapAttemptSourceError(error, request.definition, {
          isLastServer,
          isOutOfTime: performance.now() - begunAt >= request.statementTimeoutMs,
        });
      const beginQueries = {
        select: settingsQueryOf(
          request,
          options.parallelWorkers ?? (isApiServer && request.withSummary !== false ? 0 : undefined),
        ),
        ask: (client: Client) => ignoreRejection(sendFirstQueries(client, request, engine)),
      };
      const held = await connections.begin(beginQueries, request.signal).catch((error: unknown) => {
        request.signal.throwIfAborted();
        throw mapError(error);
      });
      const { client, url, backend } = held;
      let ending: Promise<void> | undefined;
      /** Closes the connection and terminates its backend. A query that sends no rows would not notice the closed socket. */
      const end = async (): Promise<void> => {
        destroySocket(client);
        ending ??= terminatePostgresBackend(
          {
            url,
            database: connection.database,
            applicationName: "reports-end",
            connectTimeoutMs: Math.min(connection.connectTimeoutMs, 2_000),
          },
          backend,
        );
        await ending;
      };
      const abort = (): void => void end();
      request.signal.addEventListener("abort", abort, { once: true });
      try {
        request.signal.throwIfAborted();
        return await openRows(held, request, engine, {
          mapError,
          lagWarningMs: options.lagWarningMs ?? 75_000,
          end: async (finished) => {
            request.signal.removeEventListener("abort", abort);
            if (finished && !request.signal.aborted) await held.release();
            else await end();
          },
        });
      } catch (error) {
        request.signal.removeEventListener("abort", abort);
        await end();
        request.signal.throwIfAborted();
        throw mapError(error);
      }
    },
  };
}

/** Number of a report's first attempt that reads the primary instead of a replica. A failing replica can thus cost at most two attempts. */
const primaryFromAttempt = 3;

function settingsQueryOf({ definition, statementTimeoutMs }: RowRequest, parallelWorkers: number | undefined): string {
  const parallel = "max_parallel_workers_per_gather";
  const selected = [
    "(extract(epoch from now()) * 1000)::bigint",
    "set_config('TimeZone', 'UTC', true)",
    `set_config('statement_timeout', '${statementTimeoutMs}', true)`,
    "set_config('DateStyle', 'ISO', true)",
    // A relation is a table of the service, so it needs the service's search path. A view is found by the search path of its source.
    ...(definition.rows.kind === "relation" ? [`set_config('search_path', '${serviceSearchPath}', true)`] : []),
    ...(parallelWorkers === undefined
      ? []
      : [`set_config('${parallel}', least(current_setting('${parallel}')::integer, ${parallelWorkers})::text, true)`]),
  ];
  return `select ${selected.join(", ")}`;
}

interface FirstQueries {
  readonly fits: Promise<void>;
  /** True if the rows come from several servers, although the engine supports snapshots. */
  readonly isScattered: Promise<boolean> | false;
  readonly count: Promise<readonly TextRow[]>;
  readonly rows: BoundQuery;
  readonly literals: Promise<readonly string[]>;
  readonly summary: SummaryQueries;
}

/** Sends the first queries in one round trip. If one cannot be built, it rejects, and the queries before it are still running. */
async function sendFirstQueries(
  client: Client,
  request: RowRequest,
  engine: SourceEngineProperties,
): Promise<FirstQueries> {
  const fits = ignoreRejection(assertViewColumnTypes(client, request.definition));
  // REPORT_SOURCES doesn't say whether a view reads other servers, but Postgres's catalog does.
  const isScattered = engine.snapshot ? ignoreRejection(readsOtherServers(client, request.definition)) : false;
  const count = ignoreRejection(readTextRows(client, buildCountQuery(request)));
  const rows = buildRowsQuery(request);
  const literals = ignoreRejection(quoteLiterals(client, rows));
  const summary = request.withSummary === false ? noSummaryQueries : buildSummaryQueries(request);
  return { fits, isScattered, count, rows, literals, summary };
}

/** If an earlier query fails, this promise is never awaited. Without a handler, its rejection would end the process. */
function ignoreRejection<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

/** `end` ends the connection of one report's rows. `finished` is false after an error or a cancellation. */
interface Lifetime {
  readonly lagWarningMs: number;
  mapError(error: unknown): unknown;
  end(finished: boolean): Promise<void>;
}

async function openRows(
  { client, replayedUntil, selected, asked }: ReportConnection<Promise<FirstQueries>>,
  request: RowRequest,
  engine: SourceEngineProperties,
  lifetime: Lifetime,
): Promise<RowStream> {
  const queries = await asked;
  const { fits, isScattered, count } = queries;
  await fits;
  const warning = (await isScattered) ? snapshotNotGlobalWarning : engine.warning;
  const [counted] = await count;
  const rowsTotal = Number(counted![0]);
  request.onCounted?.(rowsTotal);
  if (engine.maxRows !== null && rowsTotal > engine.maxRows) throw reportTooLargeError(rowsTotal, engine.maxRows);
  const isExact = engine.snapshot && warning === null;
  const hasRows = !isExact || rowsTotal > 0;
  const { summary, bytes } = await (hasRows
    ? copyRows(client, request, queries, lifetime)
    : endWithoutRows(client, queries, lifetime));
  const readAt = new Date(Number(selected[0]));
  const dataAsOf = replayedUntil ?? readAt;
  return {
    columns: request.columns,
    dataAsOf,
    warnings: [
      ...(readAt.getTime() - dataAsOf.getTime() > lifetime.lagWarningMs ? [lagWarning(dataAsOf, readAt)] : []),
      ...(warning === null ? [] : [warning]),
    ],
    rowsTotal: isExact ? rowsTotal : null,
    summary,
    bytes,
  };
}

type SummaryAndBytes = Pick<RowStream, "summary" | "bytes">;

async function copyRows(
  client: Client,
  { signal }: RowRequest,
  { rows, literals, summary }: FirstQueries,
  { end, mapError }: Lifetime,
): Promise<SummaryAndBytes> {
  const copy = `copy (${replaceQueryPlaceholders(rows, await literals)}) to stdout (format csv)`;
  signal.throwIfAborted();
  const results = Promise.all(summary.queries.map(async (query) => readTextRows(client, query)));
  const bytes = openCopyStream(client, `${copy}; commit`, { end, mapError, signal });
  return { summary: summary.read(await results), bytes };
}

/**
 * Ends a report whose count is 0. The count shares its snapshot with the rows, so the other queries are not sent. Planning them would cost as much
 * as a small report.
 */
async function endWithoutRows(client: Client, { summary }: FirstQueries, { end }: Lifetime): Promise<SummaryAndBytes> {
  await client.query("commit");
  await end(true);
  return { summary: summary.read(summary.emptyResults), bytes: Readable.from([]) };
}

function reportTooLargeError(rowsTotal: number, maxRows: number): PermanentReportError {
  return new PermanentReportError(
    "REPORT_TOO_LARGE",
    `The report has ${rowsTotal} rows, and its database returns at most ${maxRows} rows per query. Narrow its filters.`,
  );
}

function lagWarning(dataAsOf: Date, readAt: Date): ReportWarning {
  const seconds = Math.round((readAt.getTime() - dataAsOf.getTime()) / 1000);
  const message = `The rows are those of ${dataAsOf.toISOString()}, ${seconds} s before they were read: the database's replica was behind.`;
  return { code: "DATA_BEHIND", message };
}
