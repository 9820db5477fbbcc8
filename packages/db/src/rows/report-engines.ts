import type { ReportSourceEngine, ReportWarning } from "@reports/core/report";
import { optionalSettings, type SourceSession } from "../database/source-session.ts";

/**
 * Differences of databases that speak Postgres's protocol. Rows always come by `COPY (query) TO STDOUT (FORMAT csv)`, and a query is
 * stopped by closing its connection and terminating its backend, which also stops what the backend runs elsewhere.
 */
export interface ReportEngine {
  /** Session settings that a server of this engine may refuse. Refusing another makes the source's types unusable. */
  readonly mayRefuse: SourceSession["mayRefuse"];
  readonly begin: string;
  /** Whether count, summary and rows share a snapshot. If not, the count only limits and shows progress. */
  readonly snapshot: boolean;
  /**
   * How a report's size is known before its start. `statistics`: from the planner, unless the view reads other servers or tables never
   * analysed. `counted`: from a count limited in rows and time (row-counts.ts), because the planner expects a constant.
   */
  readonly sizes: "statistics" | "counted";
  /** More rows end a report, even if its format allows them; null if only the format decides. */
  readonly maxRows: number | null;
  /** The extension of this engine, from this version on. */
  readonly extension: { readonly name: string; readonly version: readonly [major: number, minor: number] } | null;
  /** On every report. */
  readonly warning: ReportWarning | null;
}

export const notGlobal: ReportWarning = {
  code: "SNAPSHOT_NOT_GLOBAL",
  message:
    "The rows come from several servers, each read at a different moment. The report may show a part of a change that was written meanwhile.",
};

const oneSnapshot = "begin isolation level repeatable read read only";

/** Amazon Aurora is `postgres`, the only engine that the tests of this repository start: docs/reference/postgres.md. */
export const reportEngines: Readonly<Record<ReportSourceEngine, ReportEngine>> = {
  postgres: {
    mayRefuse: optionalSettings,
    begin: oneSnapshot,
    snapshot: true,
    sizes: "statistics",
    maxRows: null,
    extension: null,
    warning: null,
  },
  citus: {
    mayRefuse: optionalSettings,
    // For the coordinator's own tables; each worker reads at its own moment.
    begin: oneSnapshot,
    snapshot: false,
    sizes: "counted",
    // The coordinator gathers a COPY's whole result before sending.
    maxRows: 5_000_000,
    extension: { name: "citus", version: [11, 0] },
    warning: notGlobal,
  },
  pg_clickhouse: {
    mayRefuse: optionalSettings,
    // Nothing to hold: every query is ClickHouse's, without transactions.
    begin: "begin read only",
    snapshot: false,
    sizes: "counted",
    maxRows: null,
    extension: { name: "pg_clickhouse", version: [0, 11] },
    warning: {
      code: "NO_SNAPSHOT",
      message:
        "The database has no snapshots: figures and rows were read one after another, and may differ by what was written meanwhile.",
    },
  },
};
