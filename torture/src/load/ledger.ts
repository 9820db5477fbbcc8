import type { Variant } from "./variants.ts";

/** One report that the API acknowledged, and what was done to it. */
export interface Entry {
  readonly id: string;
  readonly key: string;
  readonly reportType: string;
  /** Null for poison. */
  readonly variant: Variant | null;
}

/** A worker that was killed or frozen, and the attempts that it held at that moment. */
export interface Loss {
  readonly kind: string;
  readonly at: number;
  readonly held: readonly { readonly id: string; readonly attempt: number }[];
}

/** What the harness did and was told: what the invariants are checked against. */
export interface Ledger {
  readonly entries: Map<string, Entry>;
  readonly losses: Loss[];
  /** Process ids of the renderers whose worker was killed. */
  readonly orphaned: number[];
  /** How often each fault was injected. */
  readonly faults: Map<string, number>;
  /** What was not as it should be while the load ran. */
  readonly complaints: string[];
  submitted: number;
  kills: number;
}

/** An empty ledger. */
export function createLedger(): Ledger {
  return { entries: new Map(), losses: [], orphaned: [], faults: new Map(), complaints: [], submitted: 0, kills: 0 };
}

/** Counts a fault. */
export function countFault(ledger: Ledger, name: string): void {
  ledger.faults.set(name, (ledger.faults.get(name) ?? 0) + 1);
}
