import type { Random } from "@reports/testing";
import type { Caller } from "../load/caller.ts";
import type { Ledger } from "../load/ledger.ts";
import type { Stand } from "../stand/stand.ts";

export interface FaultContext {
  readonly stand: Stand;
  readonly caller: Caller;
  readonly ledger: Ledger;
  readonly random: Random;
}

/** Resolves once what it broke is whole again, or is being restarted by its supervisor. */
export interface StandFault {
  readonly name: string;
  readonly weight: number;
  /** Every stand by default. */
  appliesTo?(stand: Stand): boolean;
  /** Returns false, and does nothing, if it does not apply now. */
  inject(context: FaultContext): Promise<boolean>;
}
