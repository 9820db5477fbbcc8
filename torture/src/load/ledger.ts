import type { Variant } from "./variants.ts";

/** A report or rendition that the API has accepted. */
export interface Entry {
  readonly id: string;
  readonly key: string;
  readonly reportType: string;
  /** Null for poison pills and other reports without a reference. */
  readonly variant: Variant | null;
  /** ID of the report, if this is a rendition. */
  readonly fileOf?: string;
}

/** The loss of a worker that was killed or frozen, with the attempts that it held. */
export interface Loss {
  readonly kind: string;
  readonly at: number;
  readonly held: readonly { readonly id: string; readonly attempt: number }[];
}

/** A period in which Postgres, the store or another shared part was stopped or replaced. Time limits are extended by its length. */
export interface Outage {
  readonly from: number;
  /** End of the period. Infinity while it lasts. */
  to: number;
}

/** A period in which Postgres's clock was ahead of the true time, or behind it. */
export interface ClockJump extends Outage {
  readonly aheadMs: number;
  /** Events with IDs after this one, up to `lastEvent`, can have a time of the wrong clock. */
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
  /** When the harness set the time, in ms by the true clock. */
  readonly setAt: number;
}

/** Record of the harness's actions and of the responses that it got. Invariants are checked against it. */
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger() {
  return {
    entries: new Map<string, Entry>(),
    losses: [] as Loss[],
    /** Process IDs of the renderers of killed workers. */
    orphaned: [] as number[],
    outages: [] as Outage[],
    /** Periods in which the store kept its ID but had no files. In these, the service correctly treats files as lost. */
    timesWithoutFiles: [] as Outage[],
    clockJumps: [] as ClockJump[],
    scheduledTimes: [] as ScheduledTime[],
    /** Statuses of starts that got another response than 202, by title. Starts without a response are left out. */
    refused: new Map<string, number>(),
    /** Storage keys of damaged files, by report ID. */
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

/** Returns the ms between two times in which there was an outage. */
export function outageBetween({ outages }: Pick<Ledger, "outages">, from: number, to: number): number {
  return outages.reduce((sum, outage) => sum + Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from)), 0);
}
