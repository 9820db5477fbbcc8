import type { ReportSourceEngine, ReportWarning } from "@reports/core/report";
import { refusableSettings, type SourceSession } from "../database/source-session.ts";

/** How databases that speak Postgres's protocol differ. All send rows by `COPY (query) TO STDOUT (FORMAT csv)`, and stop a query, also on other servers, when its connection is closed and its backend terminated. */
export interface ReportEngine {
  /** Session settings that a server of this engine may refuse. If it refuses another setting, the source's types become unusable. */
  readonly mayRefuse: SourceSession["mayRefuse"];
  readonly begin: string;
  /** Whether count, summary and rows share a snapshot. If not, the count is used only for limits and progress. */
  readonly snapshot: boolean;
  /**
   * How the size of a report is estimated before its start. `statistics`: by the planner, unless the view reads other servers or tables that were never
   * analysed. `counted`: by a count limited in rows and time (row-counts.ts), because the planner assumes a constant.
   */
  readonly sizes: "statistics" | "counted";
  /** Limit of rows for every format; null if only the format has a limit. */
  readonly maxRows: number | null;
  /** The Postgres extension that the engine needs, and its lowest version. */
  readonly extension: { readonly name: string; readonly version: readonly [major: number, minor: number] } | null;
  readonly warning: ReportWarning | null;
}

export const snapshotNotGlobalWarning: ReportWarning = {
  code: "SNAPSHOT_NOT_GLOBAL",
  message:
    "The rows come from several servers, each read at a different moment. The report may show a part of a change that was written meanwhile.",
};

const beginSnapshot = "begin isolation level repeatable read read only";

/** Amazon Aurora uses the engine `postgres`, the only one that the tests of this repository start: docs/reference/postgres.md. */
export const reportEngines: Readonly<Record<ReportSourceEngine, ReportEngine>> = {
  postgres: {
    mayRefuse: refusableSettings,
    begin: beginSnapshot,
    snapshot: true,
    sizes: "statistics",
    maxRows: null,
    extension: null,
    warning: null,
  },
  citus: {
    mayRefuse: refusableSettings,
    // Applies only to tables on the coordinator. Each worker node reads at its own moment.
    begin: beginSnapshot,
    snapshot: false,
    sizes: "counted",
    // The coordinator gathers the whole result of a COPY before it sends it.
    maxRows: 5_000_000,
    extension: { name: "citus", version: [11, 0] },
    warning: snapshotNotGlobalWarning,
  },
  pg_clickhouse: {
    mayRefuse: refusableSettings,
    // There is no snapshot to hold: ClickHouse runs every query, without transactions.
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
