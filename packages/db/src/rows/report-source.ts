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
  readLiterals,
  readTexts,
  terminateBackend,
  type TextRow,
  withLiterals,
} from "../database/pg-connection.ts";
import { serviceSearchPath } from "../database/session-settings.ts";
import { mapAttemptError } from "./report-error.ts";
import { createReportConnections, type ReportConnection } from "./report-connections.ts";
import { readsOtherServers } from "./reads-other-servers.ts";
import { snapshotNotGlobalWarning, reportEngines, type ReportEngine } from "./report-engines.ts";
import { countQuery, rowsQuery } from "./report-query.ts";
import { noSummaryQueries, summaryQueries, type SummaryQueries } from "./report-summary.ts";
import { checkColumnTypes } from "./view-shape.ts";

export interface ReportSourceOptions extends Omit<ReportSourceSettings, "engine"> {
  readonly engine?: ReportSourceEngine;
  /** Age of a replica's rows above which a report has a warning. Default: 75,000, which exceeds the uncertainty if the role may not read pg_stat_wal_receiver. */
  readonly lagWarningMs?: number;
  /** Time limit for connecting. Default: 5,000. */
  readonly connectTimeoutMs?: number;
  /** Lifetime of a reused connection. A new connection plans its first queries slowly. Default: 0, so that none is reused. */
  readonly reuseMs?: number;
  /** Maximum parallel workers of Postgres per query, within the server's settings. Default: the server decides. */
  readonly parallelWorkers?: number | undefined;
}

/**
 * Makes the reader of relations and views, which returns rows as bytes of a COPY. Each running report has its own connection, because a COPY can only be
 * stopped by closing its connection. Count, summary and rows share a snapshot if the engine has one.
 */
export function createReportSource(options: ReportSourceOptions): RowSourceReader {
  const engine = reportEngines[options.engine ?? "postgres"];
  const connection = {
    database: "source" as const,
    session: {
      mayRefuse: engine.mayRefuse,
      // Ends a query that sends nothing and whose client is gone. Some platforms lack this setting; there the backend is terminated.
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
      const begunAt = performance.now();
      const mapError = (error: unknown): unknown =>
        mapAttemptError(error, request.definition, {
          isLastServer,
          isOutOfTime: performance.now() - begunAt >= request.statementTimeoutMs,
        });
      const beginQueries = {
        select: settingsQueryOf(request, options),
        ask: (client: Client) => ignoreRejection(sendFirstQueries(client, request, engine)),
      };
      const held = await connections.begin(beginQueries, request.signal).catch((error: unknown) => {
        request.signal.throwIfAborted();
        throw mapError(error);
      });
      const { client, url, backend } = held;
      let ending: Promise<void> | undefined;
      /** Closes the connection and resolves when its backend is terminated. A query that sends nothing would not notice the closed socket. */
      const end = async (): Promise<void> => {
        destroySocket(client);
        // An abort and the errors that follow it all call this function.
        ending ??= terminateBackend(
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

/** The first attempt that reads the primary. The replica may end two attempts before. */
const primaryFromAttempt = 3;

/** Returns the query that sets a transaction's settings and selects its start in epoch milliseconds. */
function settingsQueryOf(
  { definition, statementTimeoutMs }: RowRequest,
  { parallelWorkers }: ReportSourceOptions,
): string {
  const parallel = "max_parallel_workers_per_gather";
  const selected = [
    "(extract(epoch from now()) * 1000)::bigint",
    "set_config('TimeZone', 'UTC', true)",
    `set_config('statement_timeout', '${statementTimeoutMs}', true)`,
    "set_config('DateStyle', 'ISO', true)",
    // Relations are the service's own tables. Views are found by the source's own search path.
    ...(definition.rows.kind === "relation" ? [`set_config('search_path', '${serviceSearchPath}', true)`] : []),
    ...(parallelWorkers === undefined
      ? []
      : [`set_config('${parallel}', least(current_setting('${parallel}')::integer, ${parallelWorkers})::text, true)`]),
  ];
  return `select ${selected.join(", ")}`;
}

/** Results of the queries at the beginning of the transaction, and the queries that are sent after them. */
interface FirstQueries {
  readonly fits: Promise<void>;
  /** Whether rows come from several servers, although the engine has snapshots. */
  readonly isScattered: Promise<boolean> | false;
  readonly count: Promise<readonly TextRow[]>;
  readonly rows: BoundQuery;
  readonly literals: Promise<readonly string[]>;
  readonly summary: SummaryQueries;
}

/** Sends the first queries. Rejects if a query cannot be built; queries sent before are then still running. */
async function sendFirstQueries(client: Client, request: RowRequest, engine: ReportEngine): Promise<FirstQueries> {
  const fits = ignoreRejection(checkColumnTypes(client, request.definition));
  // Postgres's catalog says whether there are several servers; the configuration does not.
  const isScattered = engine.snapshot ? ignoreRejection(readsOtherServers(client, request.definition)) : false;
  const count = ignoreRejection(readTexts(client, countQuery(request)));
  const rows = rowsQuery(request);
  const literals = ignoreRejection(readLiterals(client, rows));
  const summary = request.withSummary === false ? noSummaryQueries : summaryQueries(request);
  return { fits, isScattered, count, rows, literals, summary };
}

/** Keeps a rejected promise from ending the process. It is never awaited if an earlier query fails. */
function ignoreRejection<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

/** Maps the errors of the rows of one report, and ends their connection: `finished` is false after an error or a cancellation. */
interface Lifetime {
  readonly lagWarningMs: number;
  mapError(error: unknown): unknown;
  end(finished: boolean): Promise<void>;
}

async function openRows(
  { client, replayedUntil, selected, asked }: ReportConnection<Promise<FirstQueries>>,
  request: RowRequest,
  engine: ReportEngine,
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
  const copy = `copy (${withLiterals(rows, await literals)}) to stdout (format csv)`;
  signal.throwIfAborted();
  // The COPY is sent before the summary's results arrive.
  const results = Promise.all(summary.queries.map(async (query) => readTexts(client, query)));
  // The commit is sent with the COPY, which saves a round trip.
  const bytes = openCopyStream(client, `${copy}; commit`, { end, mapError, signal });
  return { summary: summary.read(await results), bytes };
}

/** Asks for nothing more, because the count shares its snapshot with the rows. Postgres would plan each query at the cost of a small report. */
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
