import type { ReportLane } from "../../base/vocabulary.ts";

/** A worker without a heartbeat for this long is dead: others take over what it held. */
export const deadAfterMs = 25_000;

/** Versions of report types, by type. */
export type ServedTypes = Readonly<Record<string, number>>;

/** Whether one of the workers can run reports of the type as they are started now. A worker that says nothing (null) is older, and is not blamed. */
export function isServedBy(
  workers: readonly (ServedTypes | null)[],
  { type, version }: { readonly type: string; readonly version: number },
): boolean {
  return workers.some((served) => served === null || (Object.hasOwn(served, type) && served[type]! >= version));
}

/** What a worker says of itself. */
export interface WorkerIdentity {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly lanes: readonly string[];
  /** What it can run now. */
  readonly servedTypes: ServedTypes;
  /** Fingerprints of its keys of webhooks, the key that seals first; empty without WEBHOOK_KEY. */
  readonly webhookKeys: WebhookKeys;
  /** The largest file that it can make, in bytes; older workers do not say it. */
  readonly spoolBytes?: number | null;
}

/** Fingerprints of the keys of WEBHOOK_KEY, the key that seals first. They reveal nothing about the keys. */
export type WebhookKeys = readonly string[];

/** Reports whether a running worker can open what a key has sealed. A worker without fingerprints (null) is older and may have the key. */
export function isKeyHeldBy(workers: readonly (WebhookKeys | null)[], key: string): boolean {
  return workers.some((keys) => keys === null || keys.includes(key));
}

/** A running worker that shares no key of webhooks with another one. */
export interface KeyStranger {
  readonly workerId: string;
  readonly host: string;
  readonly lastSeenAt: Date;
}

/** A living worker as others see it. */
export interface LivingWorker extends Pick<WorkerIdentity, "host" | "version"> {
  readonly id: string;
  readonly lanes: readonly ReportLane[];
  /** Null of a worker that is too old to say it. */
  readonly servedTypes: ServedTypes | null;
  /** Reports that it is making. */
  readonly running: number;
  readonly startedAt: Date;
  readonly lastSeenAt: Date;
}

/** The workers that live. Times are Postgres's. */
export interface WorkerRegistry {
  /** Renews the worker's row, or makes it. `poolIds` are the ids under which its jobs are locked. */
  beat(worker: WorkerIdentity, poolIds: readonly string[]): Promise<void>;
  /**
   * Makes the row of a worker that starts, unless other running workers have keys of webhooks and it shares none of them: then it writes
   * nothing and returns these workers. Workers with an id in `ignored` do not count. Workers that start at the same time join in turn.
   */
  join(worker: WorkerIdentity, poolIds: readonly string[], ignored: readonly string[]): Promise<readonly KeyStranger[]>;
  /** Says that the worker was told to stop: what it loses from now on was lost by a deploy. */
  announceStop(workerId: string): Promise<void>;
  remove(workerId: string): Promise<void>;
  /** Removes rows that nobody has renewed for so long that nothing depends on them any more. */
  removeDead(olderThanMs: number): Promise<number>;
  /** The age of the oldest living worker's last beat, and how many live. */
  state(deadAfterMs: number): Promise<{ readonly living: number; readonly oldestBeatMs: number | null }>;
}
