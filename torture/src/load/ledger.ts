import type { ReportVariant } from "./report-variants.ts";

export interface LedgerEntry {
  readonly id: string;
  readonly key: string;
  /** The variant that was requested. Null for a poison pill or another report whose content is compared with nothing. */
  readonly variant: ReportVariant | null;
}

export interface WorkerLoss {
  readonly kind: string;
  readonly at: number;
  readonly held: readonly { readonly id: string; readonly attempt: number }[];
}

/** A period in which Postgres, the store or another shared part was stopped or replaced. Checks extend their time limits by its length. */
export interface Outage {
  readonly from: number;
  /** End of the outage. Infinity while it lasts. */
  to: number;
}

export interface ClockJump extends Outage {
  readonly aheadMs: number;
  /** Events whose ID is greater than this one, up to and including `lastEvent`, may have a time of the wrong clock. */
  readonly firstEvent: number;
  lastEvent: number;
}

export interface RecordedViolation {
  readonly name: string;
  readonly reportId: string | null;
  readonly what: string;
}

export interface ScheduledRunTime {
  readonly scheduleId: string;
  readonly at: Date;
  /** The true time in ms at which the harness set the next run. */
  readonly setAt: number;
}

/** The record of the harness's own actions and of the responses that it got. Invariants compare the database with it. */
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger() {
  return {
    entries: new Map<string, LedgerEntry>(),
    losses: [] as WorkerLoss[],
    orphanedRenderers: [] as number[],
    outages: [] as Outage[],
    /** Periods in which the store had its ID but no files. The service correctly treats its files as lost then. */
    timesWithoutFiles: [] as Outage[],
    clockJumps: [] as ClockJump[],
    scheduledTimes: [] as ScheduledRunTime[],
    /** Statuses of starts that got a response other than 202, by title. */
    refused: new Map<string, number>(),
    damaged: new Map<string, string>(),
    breaches: [] as RecordedViolation[],
    faults: new Map<string, number>(),
    loadErrors: [] as string[],
    submitted: 0,
    kills: 0,
  };
}

export function countFault(ledger: Ledger, name: string): void {
  ledger.faults.set(name, (ledger.faults.get(name) ?? 0) + 1);
}

export function computeOutageMs({ outages }: Pick<Ledger, "outages">, from: number, to: number): number {
  return outages.reduce((sum, outage) => sum + Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from)), 0);
}

export function findRecordedViolations(
  { breaches }: Pick<Ledger, "breaches">,
  name: string,
): (readonly [string | null, string])[] {
  return breaches.filter((breach) => breach.name === name).map(({ reportId, what }) => [reportId, what]);
}
