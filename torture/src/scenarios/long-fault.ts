import { setTimeout as wait } from "node:timers/promises";
import { createRandom, waitFor } from "@reports/testing";
import { describeCounts } from "../check/describe-counts.ts";
import type { Finding } from "../check/finding.ts";
import { checkAll } from "../check/check-all.ts";
import { watchNamedFiles } from "../check/named-files.ts";
import { watchLocks } from "../check/locks.ts";
import { waitUntilIdle } from "../check/wait-until-idle.ts";
import { readSnapshot, type Snapshot } from "../check/snapshot.ts";
import type { StandFault } from "../faults/fault.ts";
import { createCaller } from "../load/caller.ts";
import { countFault, createLedger, type Ledger } from "../load/ledger.ts";
import { runLoad, type LoadOptions } from "../load/run-load.ts";
import { buildStand, type Stand, type StandOptions } from "../stand/stand.ts";
import type { Scenario } from "./scenario.ts";

const idleTimeoutMs = 240_000;
const reportsBetween = 12;

export interface LongFaultOptions {
  readonly stand?: Partial<StandOptions>;
  readonly load?: Pick<LoadOptions, "withShards">;
  readonly check?: (stand: Stand, ledger: Ledger, snapshot: Snapshot) => Promise<readonly Finding[]>;
  /** Starts work of another kind before the load. Resolves with a function that checks its result at the end. */
  readonly background?: (stand: Stand, ledger: Ledger) => Promise<() => Promise<readonly Finding[]>>;
}

export function createLongFaultScenario(fault: StandFault, options: LongFaultOptions = {}): Scenario {
  return async (parameters, say) => {
    const { seed, times, clients } = parameters;
    await using stand = await buildStand({ ...parameters, ...options.stand });
    const caller = createCaller(stand, createRandom(seed, 4, 0));
    const ledger = createLedger();
    using locks = watchLocks(stand, ledger);
    using fileWatch = watchNamedFiles(stand, ledger);
    const checkBackground = await options.background?.(stand, ledger);
    let isOver = false;
    const load = runLoad(stand, caller, ledger, {
      seed,
      clients,
      patienceMs: parameters.patienceSeconds * 1000,
      isOver: () => isOver,
      ...options.load,
    });
    const random = createRandom(seed, 3, 0);
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
    await waitUntilIdle(stand, parameters.mutate === undefined ? idleTimeoutMs : 60_000);
    const snapshot = await readSnapshot(stand, ledger);
    return {
      snapshot,
      folder: stand.folder,
      figures: [`${snapshot.records.size} reports; responses (0 = none): ${describeCounts(caller.responses)}`],
      findings: await checkAll(
        // Without references, the rows of files are not compared with those of runs without faults. `chaos` does that.
        { stand, caller, ledger, snapshot, references: new Map(), locks, fileWatch, say },
        [...((await checkBackground?.()) ?? []), ...((await options.check?.(stand, ledger, snapshot)) ?? [])],
      ),
    };
  };
}
