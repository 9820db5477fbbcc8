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
  /** Reports whether the fault is possible in this stand. Default: always. */
  appliesTo?(stand: Stand): boolean;
  /** Injects the fault. Resolves with true once the fault is over or the killed process is restarting. Resolves with false if there is no target. */
  inject(context: FaultContext): Promise<boolean>;
}
