import type { Variant } from "./variants.ts";

/** A report that the API accepted, and what was done to it. */
export interface Entry {
  readonly id: string;
  readonly key: string;
  readonly reportType: string;
  /** Null for poison. */
  readonly variant: Variant | null;
  /** The report of a rendition. */
  readonly fileOf?: string;
}

/** A worker that was killed or frozen, and the attempts that it held then. */
export interface Loss {
  readonly kind: string;
  readonly at: number;
  readonly held: readonly { readonly id: string; readonly attempt: number }[];
}

/** A time in which a shared part stopped or was swapped. Deadlines move by its length. */
export interface Outage {
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

/** A time in which Postgres's clock was ahead of the true one, or behind it. */
export interface ClockJump extends Outage {
  readonly aheadMs: number;
  /** Events with ids in this range can have a time of the wrong clock. */
  readonly firstEvent: number;
  lastEvent: number;
}

export interface Breach {
  readonly name: string;
  readonly reportId: string | null;
  readonly what: string;
}

export interface ScheduledTime {
  readonly scheduleId: string;
  readonly at: Date;
  /** In true time. */
  readonly setAt: number;
}

/** The invariants are checked against what the harness did and which responses it got. */
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger() {
  return {
    entries: new Map<string, Entry>(),
    losses: [] as Loss[],
    /** Process ids of the renderers whose worker was killed. */
    orphaned: [] as number[],
    outages: [] as Outage[],
    /** When the right store had no files: whatever needs one then may rightly take it for lost. */
    timesWithoutFiles: [] as Outage[],
    clockJumps: [] as ClockJump[],
    scheduledTimes: [] as ScheduledTime[],
    /** Responses other than 202 to starts, by title. Starts without a response are not among them. */
    refused: new Map<string, number>(),
    /** The keys of damaged files, by the ids of their reports. */
    damaged: new Map<string, string>(),
    breaches: [] as Breach[],
    faults: new Map<string, number>(),
    loadErrors: [] as string[],
    submitted: 0,
    kills: 0,
  };
}

export function countFault(ledger: Ledger, name: string): void {
  ledger.faults.set(name, (ledger.faults.get(name) ?? 0) + 1);
}

/** Milliseconds of that time with an outage. */
export function outageBetween({ outages }: Pick<Ledger, "outages">, from: number, to: number): number {
  return outages.reduce((sum, outage) => sum + Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from)), 0);
}
