import { rm } from "node:fs/promises";
import { tortureHelpText, parseTortureParameters, TortureUsageError } from "./torture-parameters.ts";
import { laggingReplicaScenario } from "./scenarios/lagging-replica-scenario.ts";
import { printScenarioOutcome } from "./print-scenario-outcome.ts";
import { abortedDownloadsScenario } from "./scenarios/aborted-downloads-scenario.ts";
import { attackScenario } from "./scenarios/attack-scenario.ts";
import { chaosScenario } from "./scenarios/chaos-scenario.ts";
import { clockScenario } from "./scenarios/clock-scenario.ts";
import { crowdedStartsScenario } from "./scenarios/crowded-starts-scenario.ts";
import { failpointScenario } from "./scenarios/failpoint-scenario.ts";
import { fuzzScenario } from "./scenarios/fuzz-scenario.ts";
import { gracefulExitsScenario } from "./scenarios/graceful-exits-scenario.ts";
import { mutationScenario } from "./scenarios/mutation-scenario.ts";
import { overloadScenario } from "./scenarios/overload-scenario.ts";
import { postgresRestartsScenario } from "./scenarios/postgres-restarts-scenario.ts";
import { restoredBackupScenario } from "./scenarios/restored-backup-scenario.ts";
import { rollingDeployScenario } from "./scenarios/rolling-deploy-scenario.ts";
import { checkMutationIsLoaded } from "./stand/mutation-import.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import {
  closedLaneScenario,
  damagedFilesScenario,
  foreignJobsScenario,
  frozenPostgresScenario,
  jumpingClockScenario,
  killedShardScenario,
  swappedStoreScenario,
} from "./scenarios/long-fault-scenarios.ts";
import { storeOutageScenario } from "./scenarios/store-outage-scenario.ts";

const scenarios: Readonly<Record<string, Scenario>> = {
  chaos: chaosScenario,
  "rolling-deploy": rollingDeployScenario,
  "graceful-exits": gracefulExitsScenario,
  "postgres-restarts": postgresRestartsScenario,
  "store-away": storeOutageScenario,
  fuzz: fuzzScenario,
  attacks: attackScenario,
  "aborted-downloads": abortedDownloadsScenario,
  overload: overloadScenario,
  clock: clockScenario,
  failpoints: failpointScenario,
  "crowded-starts": crowdedStartsScenario,
  "swapped-store": swappedStoreScenario,
  "restored-backup": restoredBackupScenario,
  "frozen-postgres": frozenPostgresScenario,
  "closed-lane": closedLaneScenario,
  "foreign-jobs": foreignJobsScenario,
  "damaged-files": damagedFilesScenario,
  "jumping-clock": jumpingClockScenario,
  "killed-shard": killedShardScenario,
  "lagging-replica": laggingReplicaScenario,
  "mutation-check": mutationScenario,
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof TortureUsageError ? error.message : error);
  return error instanceof TortureUsageError ? 2 : 3;
});
// A fault can leave sockets open, which would keep this process running.
process.exit();

async function main(): Promise<number> {
  const parameters = parseTortureParameters(process.argv.slice(2), Object.keys(scenarios));
  if (parameters === null) {
    console.log(tortureHelpText);
    return 0;
  }
  const { scenario, seed, mutate, keep } = parameters;
  console.log(`${scenario}, seed ${seed}${mutate === undefined ? "" : `, without the protection ${mutate}`}`);
  const outcome = await scenarios[scenario]!(parameters, (line) => console.log(line));
  const loaded = mutate === undefined ? [] : [checkMutationIsLoaded(mutate, outcome.folder)];
  const findings = [...outcome.findings, ...loaded];
  const held = printScenarioOutcome({ ...outcome, findings }, (line) => console.log(line));
  if (held && !keep && scenario !== "mutation-check") await rm(outcome.folder, { recursive: true, force: true });
  return held ? 0 : 1;
}
