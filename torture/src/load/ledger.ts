import type { Variant } from "./variants.ts";

/** One report that the API acknowledged, and what was done to it. */
export interface Entry {
  readonly id: string;
  readonly key: string;
  readonly reportType: string;
  /** Null for poison. */
  readonly variant: Variant | null;
  /** The report of which it is a further file; left out: it is a report itself. */
  readonly fileOf?: string;
}

/** A worker that was killed or frozen, and the attempts that it held at that moment. */
export interface Loss {
  readonly kind: string;
  readonly at: number;
  readonly held: readonly { readonly id: string; readonly attempt: number }[];
}

/** A time in which something that everything depends on stood still or was another; what had to be done meanwhile is due so much later. */
export interface Outage {
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

/** A time in which Postgres's clock was ahead of the true one, or behind it. */
export interface ClockJump extends Outage {
  readonly aheadMs: number;
  /** Events of reports with these ids, and those between, can have a time of the wrong clock. */
  readonly firstEvent: number;
  lastEvent: number;
}

/** What did not hold while a fault lasted, under the name of its finding. */
export interface Breach {
  readonly name: string;
  readonly reportId: string | null;
  readonly what: string;
}

/** A time that the harness has set a schedule to. */
export interface SetTime {
  readonly scheduleId: string;
  readonly at: Date;
  /** When the harness set it, in true time. */
  readonly setAt: number;
}

/** What the harness did and was told: what the invariants are checked against. */
export interface Ledger {
  readonly entries: Map<string, Entry>;
  readonly losses: Loss[];
  /** Process ids of the renderers whose worker was killed. */
  readonly orphaned: number[];
  readonly outages: Outage[];
  /** When the right store was without its files: what needs one of them meanwhile may rightly take it for lost. */
  readonly hollowed: Outage[];
  readonly clockJumps: ClockJump[];
  /** The times that schedules were set to. */
  readonly fires: SetTime[];
  /** Titles of starts that were answered with anything but 202, by the answer. Starts without an answer are not among them. */
  readonly refused: Map<string, number>;
  /** The keys of files that were damaged, by the ids of their reports. */
  readonly damaged: Map<string, string>;
  readonly breaches: Breach[];
  /** How often each fault was injected. */
  readonly faults: Map<string, number>;
  /** What was not as it should be while the load ran. */
  readonly complaints: string[];
  submitted: number;
  kills: number;
}

/** An empty ledger. */
export function createLedger(): Ledger {
  return {
    entries: new Map(),
    losses: [],
    orphaned: [],
    outages: [],
    hollowed: [],
    clockJumps: [],
    fires: [],
    refused: new Map(),
    damaged: new Map(),
    breaches: [],
    faults: new Map(),
    complaints: [],
    submitted: 0,
    kills: 0,
  };
}

/** Counts a fault. */
export function countFault(ledger: Ledger, name: string): void {
  ledger.faults.set(name, (ledger.faults.get(name) ?? 0) + 1);
}

/** For how many milliseconds of that time something was out. */
export function outageBetween({ outages }: Pick<Ledger, "outages">, from: number, to: number): number {
  return outages.reduce((sum, outage) => sum + Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from)), 0);
}
