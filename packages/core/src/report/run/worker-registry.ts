import type { ReportLane } from "../../base/vocabulary.ts";

/** A worker without a heartbeat for this long counts as dead, and others take over its work. */
export const deadAfterMs = 25_000;

export type ServedTypes = Readonly<Record<string, number>>;

/** Reports whether one of the workers can run new reports of the type. A worker of an earlier version lists no types (null) and is assumed to serve all. */
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
  /** Fingerprints of the worker's webhook keys, the key that seals first; empty without WEBHOOK_KEY. */
  readonly webhookKeys: WebhookKeyFingerprints;
  /** Size of the largest file that the worker can make, in bytes. Workers of earlier versions omit it. */
  readonly spoolBytes?: number | null;
}

/** Fingerprints of the keys in WEBHOOK_KEY, the key that seals first. They reveal nothing about the keys. */
export type WebhookKeyFingerprints = readonly string[];

/** Reports whether a running worker can open secrets that a key has sealed. A worker of an earlier version has no fingerprints (null) and may have the key. */
export function isKeyHeldBy(workers: readonly (WebhookKeyFingerprints | null)[], key: string): boolean {
  return workers.some((keys) => keys === null || keys.includes(key));
}

/** A running worker that has none of the webhook keys of a starting worker. */
export interface WorkerWithoutSharedKey {
  readonly workerId: string;
  readonly host: string;
  readonly lastSeenAt: Date;
}

export interface RunningWorker extends Pick<WorkerIdentity, "host" | "version"> {
  readonly id: string;
  readonly lanes: readonly ReportLane[];
  /** Null for a worker of an earlier version, which does not report its types. */
  readonly servedTypes: ServedTypes | null;
  readonly running: number;
  readonly startedAt: Date;
  readonly lastSeenAt: Date;
}

/** Port of the registry of running workers. Its times are of Postgres's clock. */
export interface WorkerRegistry {
  /** Renews or creates the worker's row. `poolIds` are the IDs under which the worker locks its jobs. */
  heartbeat(worker: WorkerIdentity, poolIds: readonly string[]): Promise<void>;
  /** Creates the row of a starting worker. If running workers, except those in `ignored`, have webhook keys and share none with it, returns them instead. Concurrent calls run one after another. */
  join(
    worker: WorkerIdentity,
    poolIds: readonly string[],
    ignored: readonly string[],
  ): Promise<readonly WorkerWithoutSharedKey[]>;
  /** Records that the worker is stopping: its losses from now on count as those of a deployment. */
  announceStop(workerId: string): Promise<void>;
  remove(workerId: string): Promise<void>;
  /** Removes the rows of workers without a heartbeat for this long. Returns their number. */
  removeDead(olderThanMs: number): Promise<number>;
  state(deadAfterMs: number): Promise<{ readonly running: number; readonly oldestHeartbeatMs: number | null }>;
}
