import type { Random } from "@reports/testing";
import type { Caller } from "../load/caller.ts";
import type { Ledger } from "../load/ledger.ts";
import type { Stand } from "../stand/stand.ts";

/** What a fault works on. */
export interface FaultContext {
  readonly stand: Stand;
  readonly caller: Caller;
  readonly ledger: Ledger;
  readonly random: Random;
}

/** One way of breaking things. It resolves once what it broke is whole again, or is being started again by its supervisor. */
export interface StandFault {
  readonly name: string;
  readonly weight: number;
  /** Whether this stand can have it; left out: every one can. */
  appliesTo?(stand: Stand): boolean;
  /** False when it does not apply here and now; nothing was done then. */
  inject(context: FaultContext): Promise<boolean>;
}
