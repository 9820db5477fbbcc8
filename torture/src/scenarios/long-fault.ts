import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom, waitFor } from "@reports/testing";
import { describeCounts } from "../check/describe-counts.ts";
import type { InvariantResult } from "../check/invariant-result.ts";
import { checkAllInvariants, watchRun } from "../check/check-all-invariants.ts";
import { endFaultsAndWaitUntilIdle } from "../check/end-faults-and-wait-until-idle.ts";
import { readDatabaseState, type DatabaseState } from "../check/database-state.ts";
import type { StandFault } from "../faults/fault.ts";
import { createLoadClient } from "../load/load-client.ts";
import { countFault, type Ledger } from "../load/ledger.ts";
import { runLoad, type RunLoadOptions } from "../load/run-load.ts";
import { startTortureStand, type TortureStand, type TortureStandOptions } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

const idleTimeoutMs = 240_000;
const reportsBetween = 12;

export interface LongFaultOptions {
  readonly stand?: Partial<TortureStandOptions>;
  readonly load?: Pick<RunLoadOptions, "withShards">;
  readonly check?: (
    stand: TortureStand,
    ledger: Ledger,
    snapshot: DatabaseState,
  ) => Promise<readonly InvariantResult[]>;
  /** Starts work of another kind before the load. Resolves with a function that checks its result at the end. */
  readonly background?: (stand: TortureStand, ledger: Ledger) => Promise<() => Promise<readonly InvariantResult[]>>;
}

export function createLongFaultScenario(fault: StandFault, options: LongFaultOptions = {}): Scenario {
  return async (parameters, say) => {
    const { seed, times, clients } = parameters;
    await using stand = await startTortureStand({ ...parameters, ...options.stand });
    const caller = createLoadClient(stand, seed);
    using run = watchRun(stand, caller);
    const { ledger } = run;
    const checkBackground = await options.background?.(stand, ledger);
    let isOver = false;
    const load = runLoad(stand, caller, ledger, {
      seed,
      clients,
      patienceMs: parameters.patienceSeconds * 1000,
      isOver: () => isOver,
      ...options.load,
    });
    const random = createSeededRandom(seed, 3, 0);
    try {
      for (let time = 1; time <= times; time++) {
        const enough = ledger.submitted + reportsBetween;
        await waitFor(() => ledger.submitted >= enough, {
          what: "more reports to be started",
          timeoutMs: 180_000,
          intervalMs: 200,
        });
        await waitFor(async () => fault.inject({ stand, caller, ledger, random }), {
          what: `a target for ${fault.name}`,
          timeoutMs: 60_000,
          intervalMs: 1_000,
        });
        countFault(ledger, fault.name);
        say(`${time} of ${times}: ${fault.name}, ${ledger.submitted} reports started`);
      }
      await wait(1_000);
    } finally {
      isOver = true;
    }
    await load;
    await endFaultsAndWaitUntilIdle(stand, parameters.mutate === undefined ? idleTimeoutMs : 60_000);
    const snapshot = await readDatabaseState(stand, ledger);
    return {
      snapshot,
      folder: stand.folder,
      figures: [`${snapshot.records.size} reports; responses (0 = none): ${describeCounts(caller.responses)}`],
      findings: await checkAllInvariants(
        // Without references, the rows of files are not compared with those of runs without faults. `chaos` does that.
        { ...run, snapshot, references: new Map(), say },
        [...((await checkBackground?.()) ?? []), ...((await options.check?.(stand, ledger, snapshot)) ?? [])],
      ),
    };
  };
}
