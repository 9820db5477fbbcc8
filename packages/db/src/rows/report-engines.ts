import type { ReportSourceEngine, ReportWarning } from "@reports/core/report";
import { dispensableSettings, type SourceSession } from "../database/source-session.ts";

/**
 * What differs between databases that answer as Postgres does. The wire is always `COPY (query) TO STDOUT (FORMAT csv)`, and a query is
 * always stopped in the same way: its connection is closed and its backend terminated, which ends what the backend has asked of others.
 */
export interface ReportEngine {
  /** Settings of a session that a server of this engine may refuse. Its refusal of any other makes the types of the source unusable. */
  readonly mayRefuse: SourceSession["mayRefuse"];
  /** Begins the read-only transaction of a report. */
  readonly begin: string;
  /**
   * Whether count, summary and rows are of one snapshot. Where they are not, the count refuses what is far too large and shows progress;
   * how many rows a report has is known when they have come.
   */
  readonly snapshot: boolean;
  /**
   * Where the size of a report is known from before it starts. `statistics`: from the tables' statistics and the planner, unless the view
   * reads other servers or tables that were never analysed. `counted`: from a count that is bounded in rows and in time (row-counts.ts),
   * because the planner expects a constant.
   */
  readonly sizes: "statistics" | "counted";
  /** Rows above this end a report, whatever its format allows; null where the format alone decides. */
  readonly maxRows: number | null;
  /** The extension that makes Postgres this engine, from this version on. */
  readonly extension: { readonly name: string; readonly version: readonly [major: number, minor: number] } | null;
  /** Said on every report. */
  readonly warning: ReportWarning | null;
}

/** Warning for rows that come from several servers. */
export const notGlobal: ReportWarning = {
  code: "SNAPSHOT_NOT_GLOBAL",
  message:
    "The rows come from several servers, each read at a moment of its own: what was written while the report was made may be in it in part.",
};

const oneSnapshot = "begin isolation level repeatable read read only";

/** Amazon Aurora is `postgres`, the only engine that the tests of this repository start: docs/reference/postgres.md. */
export const reportEngines: Readonly<Record<ReportSourceEngine, ReportEngine>> = {
  postgres: {
    mayRefuse: dispensableSettings,
    begin: oneSnapshot,
    snapshot: true,
    sizes: "statistics",
    maxRows: null,
    extension: null,
    warning: null,
  },
  citus: {
    mayRefuse: dispensableSettings,
    // Holds for the coordinator's own tables; each worker reads at a moment of its own.
    begin: oneSnapshot,
    snapshot: false,
    sizes: "counted",
    // The coordinator gathers the whole result of a COPY before it sends the first row.
    maxRows: 5_000_000,
    extension: { name: "citus", version: [11, 0] },
    warning: notGlobal,
  },
  pg_clickhouse: {
    mayRefuse: dispensableSettings,
    // Nothing to hold: every query is one of ClickHouse's, which knows no transactions.
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
