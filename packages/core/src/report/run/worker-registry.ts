import type { ReportLane } from "../../base/vocabulary.ts";

/** A worker without a heartbeat for this long counts as dead, and others take over its work. */
export const workerDeadAfterMs = 25_000;

export type ServedTypeVersions = Readonly<Record<string, number>>;

/** Reports whether a worker can run new reports of the type. A worker of an earlier version (null) is assumed to run every type. */
export function isTypeServedBy(
  workers: readonly (ServedTypeVersions | null)[],
  { type, version }: { readonly type: string; readonly version: number },
): boolean {
  return workers.some((served) => served === null || (Object.hasOwn(served, type) && served[type]! >= version));
}

export interface WorkerRegistration {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly lanes: readonly string[];
  readonly servedTypes: ServedTypeVersions;
  readonly webhookKeys: WebhookKeyFingerprints;
  /** Size of the largest file that the worker can make, in bytes. Workers of earlier versions omit it. */
  readonly spoolBytes?: number | null;
}

/** Fingerprints of the keys in WEBHOOK_KEY, which reveal nothing about the keys. The first key is the one that seals. Empty without WEBHOOK_KEY. */
export type WebhookKeyFingerprints = readonly string[];

/** Reports whether a running worker can open secrets that a key sealed. A worker of an earlier version (null) is assumed to have the key. */
export function isWebhookKeyHeldBy(workers: readonly (WebhookKeyFingerprints | null)[], key: string): boolean {
  return workers.some((keys) => keys === null || keys.includes(key));
}

export interface WorkerWithoutSharedWebhookKey {
  readonly workerId: string;
  readonly host: string;
  readonly lastSeenAt: Date;
}

export interface RunningWorker extends Pick<WorkerRegistration, "host" | "version"> {
  readonly id: string;
  readonly lanes: readonly ReportLane[];
  readonly servedTypes: ServedTypeVersions | null;
  readonly running: number;
  readonly startedAt: Date;
  readonly lastSeenAt: Date;
}

export interface WorkerRegistry {
  /** Renews or creates the worker's row. `poolIds` are the IDs under which the worker locks its jobs. */
  heartbeat(worker: WorkerRegistration, poolIds: readonly string[]): Promise<void>;
  /**
   * Creates the row of a starting worker. If it has webhook keys, and no running worker with webhook keys shares one, creates no
   * row and returns those workers. Workers whose IDs are in `ignored` do not count. Concurrent calls run one after another.
   */
  join(
    worker: WorkerRegistration,
    poolIds: readonly string[],
    ignored: readonly string[],
  ): Promise<readonly WorkerWithoutSharedWebhookKey[]>;
  /** Records that the worker is stopping. Its losses from now on count as losses of a deployment. */
  announceStop(workerId: string): Promise<void>;
  remove(workerId: string): Promise<void>;
  removeDead(olderThanMs: number): Promise<number>;
  state(deadAfterMs: number): Promise<{ readonly running: number; readonly oldestHeartbeatMs: number | null }>;
}
