import type { ReportLane } from "../../base/vocabulary.ts";

/** A worker without a heartbeat for this long is dead: others take over its work. */
export const deadAfterMs = 25_000;

export type ServedTypes = Readonly<Record<string, number>>;

/** Reports whether one of the workers can run new reports of the type. A worker that lists nothing (null) is older, and assumed to. */
export function isServedBy(
  workers: readonly (ServedTypes | null)[],
  { type, version }: { readonly type: string; readonly version: number },
): boolean {
  return workers.some((served) => served === null || (Object.hasOwn(served, type) && served[type]! >= version));
}

export interface WorkerIdentity {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly lanes: readonly string[];
  readonly servedTypes: ServedTypes;
  /** Fingerprints of its webhook keys, the sealing key first; empty without WEBHOOK_KEY. */
  readonly webhookKeys: WebhookKeys;
  /** The largest file that it can make, in bytes; older workers omit it. */
  readonly spoolBytes?: number | null;
}

/** Fingerprints of WEBHOOK_KEY's keys, the sealing key first. They reveal nothing about the keys. */
export type WebhookKeys = readonly string[];

/** Reports whether a running worker can open what a key has sealed. A worker without fingerprints (null) is older and may have the key. */
export function isKeyHeldBy(workers: readonly (WebhookKeys | null)[], key: string): boolean {
  return workers.some((keys) => keys === null || keys.includes(key));
}

/** A running worker without a common webhook key. */
export interface WorkerWithoutSharedKey {
  readonly workerId: string;
  readonly host: string;
  readonly lastSeenAt: Date;
}

export interface RunningWorker extends Pick<WorkerIdentity, "host" | "version"> {
  readonly id: string;
  readonly lanes: readonly ReportLane[];
  /** Null for a worker that is too old to report it. */
  readonly servedTypes: ServedTypes | null;
  readonly running: number;
  readonly startedAt: Date;
  readonly lastSeenAt: Date;
}

/** The running workers. Times are Postgres's. */
export interface WorkerRegistry {
  /** Renews or creates the worker's row. `poolIds` lock its jobs. */
  heartbeat(worker: WorkerIdentity, poolIds: readonly string[]): Promise<void>;
  /**
   * Creates the row of a starting worker, unless other running workers have webhook keys and it shares none: then it returns these
   * workers. Ignores workers in `ignored`. Concurrent starts join in turn.
   */
  join(
    worker: WorkerIdentity,
    poolIds: readonly string[],
    ignored: readonly string[],
  ): Promise<readonly WorkerWithoutSharedKey[]>;
  /** Records that the worker is stopping: its losses from now on count as those of a deployment. */
  announceStop(workerId: string): Promise<void>;
  remove(workerId: string): Promise<void>;
  /** Removes rows so old that nothing depends on them. */
  removeDead(olderThanMs: number): Promise<number>;
  state(deadAfterMs: number): Promise<{ readonly running: number; readonly oldestHeartbeatMs: number | null }>;
}
