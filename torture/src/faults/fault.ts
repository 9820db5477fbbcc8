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

export interface StandFault {
  readonly name: string;
  readonly weight: number;
  /** Reports whether this stand allows the fault. If undefined, every stand does. */
  appliesTo?(stand: Stand): boolean;
  /**
   * Injects the fault. Resolves with true when the fault is over, or when the killed process is restarting. Resolves with false if there is nothing
   * to harm.
   */
  inject(context: FaultContext): Promise<boolean>;
}
