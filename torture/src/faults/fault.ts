import type { SeededRandom } from "@reports/testing";
import type { LoadClient } from "../load/load-client.ts";
import type { Ledger } from "../load/ledger.ts";
import type { TortureStand } from "../stand/torture-stand.ts";

export interface FaultContext {
  readonly stand: TortureStand;
  readonly caller: LoadClient;
  readonly ledger: Ledger;
  readonly random: SeededRandom;
}

export interface StandFault {
  readonly name: string;
  readonly weight: number;
  /** Reports whether this stand allows the fault. If undefined, every stand does. */
  appliesTo?(stand: TortureStand): boolean;
  /**
   * Injects the fault. Resolves with true when the fault is over, or when the killed process is restarting. Resolves with false if there is nothing
   * to harm.
   */
  inject(context: FaultContext): Promise<boolean>;
}
