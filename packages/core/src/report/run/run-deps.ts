import type { Clock, FileStore, IdMaker, StoreIdentity, StoreLook } from "../../base/file-store.ts";
import type { ReportCatalogue } from "../types/catalogue.ts";
import type { FileRemovals } from "../files/file-removal.ts";
import type { HostState, TypeAvailability } from "./hand-back.ts";
import type { KeptRows } from "../lifecycle/kept-rows.ts";
import type { Render } from "./render.ts";
import type { ReportStore } from "../lifecycle/report-store.ts";
import type { RetryPace } from "./retry-delay.ts";

/** Limits of one attempt. */
export interface RunLimits {
  readonly runTimeLimitMs: number;
  readonly maxSpoolBytes: number;
  readonly retentionMs: number;
  /** How long a lease holds without being renewed. */
  readonly leaseMs: number;
  /** How often it is renewed, and progress written; the longest time until a cancel is noticed. */
  readonly heartbeatMs: number;
  /** After this long without a heartbeat that reached the database the attempt stops by itself. */
  readonly heartbeatGraceMs: number;
}

/** What runReport uses. */
export interface RunDeps {
  /** With the next, what this worker serves; it hands back everything else. */
  readonly catalogue: Pick<ReportCatalogue, "find">;
  readonly availability: TypeAvailability;
  readonly host: HostState;
  readonly reports: Pick<
    ReportStore,
    "claim" | "heartbeat" | "complete" | "fail" | "requeue" | "findKeptRows" | "isServedElsewhere"
  >;
  readonly files: Pick<FileStore, "put" | "remove">;
  /** Asked before the claim, before the file is stored, and before the record names it. */
  readonly identity: StoreIdentity & StoreLook;
  readonly removals: FileRemovals;
  readonly render: Render;
  /** Copies a row snapshot from the store into a local file. Rejects with PermanentReportError(ROWS_LOST) when the stored bytes differ. */
  readonly fetchKeptRows: (rows: KeptRows, path: string, signal: AbortSignal) => Promise<void>;
  /** Removes files of the spool folder, those that are not there included. Never rejects. */
  readonly removeSpooled: (paths: readonly string[]) => Promise<void>;
  /** A path in the spool folder that nothing else uses. */
  readonly spoolPathOf: (reportId: string, attempt: number) => string;
  readonly workerId: string;
  readonly newId: IdMaker;
  readonly clock: Clock;
  readonly retryPace: RetryPace;
  readonly limits: RunLimits;
}
