import type { ReportSourceEngine, ReportWarning } from "@reports/core/report";
import { optionalSourceSettings, type SourceSessionOptions } from "../database/source-session-options.ts";

/**
 * The differences between databases that speak Postgres's protocol. Each supports `COPY (query) TO STDOUT (FORMAT csv)`. Each stops a query, also on
 * other servers, when its connection is closed and its backend terminated.
 */
export interface SourceEngineProperties {
  /** Session settings that a server may refuse. If it refuses any other setting, the source's types become unusable. */
  readonly mayRefuse: SourceSessionOptions["mayRefuse"];
  readonly begin: string;
  /** True if count, summary and rows share a snapshot. Otherwise the count only serves limits and progress, because the rows may differ. */
  readonly snapshot: boolean;
  /**
   * How the rows of a report are estimated before its start. `statistics`: by the planner, unless the view reads other servers or tables that were
   * never analysed. `counted`: by a count with limits of rows and time, because this engine's planner assumes a constant.
   */
  readonly sizes: "statistics" | "counted";
  readonly maxRows: number | null;
  readonly extension: { readonly name: string; readonly version: readonly [major: number, minor: number] } | null;
  readonly warning: ReportWarning | null;
}

export const snapshotNotGlobalWarning: ReportWarning = {
  code: "SNAPSHOT_NOT_GLOBAL",
  message:
    "The rows come from several servers, each read at a different moment. The report may show a part of a change that was written meanwhile.",
};

const beginSnapshot = "begin isolation level repeatable read read only";

/** Amazon Aurora uses the engine `postgres`. The tests start only `postgres`: docs/reference/postgres.md. */
export const sourceEngineProperties: Readonly<Record<ReportSourceEngine, SourceEngineProperties>> = {
  postgres: {
    mayRefuse: optionalSourceSettings,
    begin: beginSnapshot,
    snapshot: true,
    sizes: "statistics",
    maxRows: null,
    extension: null,
    warning: null,
  },
  citus: {
    mayRefuse: optionalSourceSettings,
    // In Citus, this snapshot covers only the tables on the coordinator. Each of the other nodes reads at a different moment.
    begin: beginSnapshot,
    snapshot: false,
    sizes: "counted",
    // The coordinator of Citus holds the whole result of a COPY in memory before it sends the result.
    maxRows: 5_000_000,
    extension: { name: "citus", version: [11, 0] },
    warning: snapshotNotGlobalWarning,
  },
  pg_clickhouse: {
    mayRefuse: optionalSourceSettings,
    // A snapshot would have no effect, because ClickHouse runs each query without a transaction.
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
