import type { Clock, FileStore, IdMaker, StoreIdentity, StoreIdReader } from "../../base/file-store.ts";
import type { ReportCatalogue } from "../types/catalogue.ts";
import type { FileRemovals } from "../files/file-removal.ts";
import type { HostState, TypeAvailability } from "./refusal.ts";
import type { RowSnapshot } from "../lifecycle/row-snapshot.ts";
import type { Render } from "./render.ts";
import type { ReportStore } from "../lifecycle/report-store.ts";
import type { RetryPace } from "./retry-delay.ts";

/** Limits of one attempt, and the retention of its file. */
export interface RunLimits {
  readonly runTimeLimitMs: number;
  readonly maxSpoolBytes: number;
  readonly retentionMs: number;
  readonly leaseMs: number;
  /** Interval of heartbeats. A cancel is noticed after at most this time. */
  readonly heartbeatMs: number;
  /** Time without a recorded heartbeat after which the attempt stops itself. */
  readonly heartbeatGraceMs: number;
}

/** The ports, limits and settings that runReport uses. */
export interface RunDeps {
  /** The report types that this worker knows. Together with `availability`, they decide which reports this worker runs and which it requeues. */
  readonly catalogue: Pick<ReportCatalogue, "find">;
  readonly availability: TypeAvailability;
  readonly host: HostState;
  readonly reports: Pick<
    ReportStore,
    "claim" | "heartbeat" | "complete" | "fail" | "requeue" | "findKeptRows" | "isServedElsewhere"
  >;
  readonly files: Pick<FileStore, "put" | "remove">;
  /** The store's identity, checked before the claim, before the file is stored, and before the record names the file. */
  readonly identity: StoreIdentity & StoreIdReader;
  readonly removals: FileRemovals;
  readonly render: Render;
  /** Copies a stored row snapshot into a local file. Rejects with PermanentReportError(ROWS_LOST) if the stored bytes differ from `rows`. */
  readonly fetchKeptRows: (rows: RowSnapshot, path: string, signal: AbortSignal) => Promise<void>;
  /** Removes spool files and ignores missing ones. Never rejects. */
  readonly removeSpooled: (paths: readonly string[]) => Promise<void>;
  readonly spoolPathOf: (reportId: string, attempt: number) => string;
  readonly workerId: string;
  readonly newId: IdMaker;
  readonly clock: Clock;
  readonly retryPace: RetryPace;
  readonly limits: RunLimits;
}
