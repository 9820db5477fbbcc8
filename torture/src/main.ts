import { rm } from "node:fs/promises";
import { helpText, readParameters, UsageError } from "./parameters.ts";
import { foreignJobs } from "./scenarios/foreign-jobs.ts";
import { laggingReplica } from "./scenarios/lagging-replica.ts";
import { printRunOutcome } from "./print-run-outcome.ts";
import { abortedDownloads } from "./scenarios/aborted-downloads.ts";
import { attacks } from "./scenarios/attacks.ts";
import { chaos } from "./scenarios/chaos.ts";
import { clock } from "./scenarios/clock.ts";
import { failpointRounds } from "./scenarios/failpoint-rounds.ts";
import { fuzz } from "./scenarios/fuzz.ts";
import { gracefulExits } from "./scenarios/graceful-exits.ts";
import { mutationCheck } from "./scenarios/mutation-check.ts";
import { overload } from "./scenarios/overload.ts";
import { postgresRestarts } from "./scenarios/postgres-restarts.ts";
import { restoredBackup } from "./scenarios/restored-backup.ts";
import { rollingDeploy } from "./scenarios/rolling-deploy.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import {
  closedLane,
  damagedFiles,
  frozenPostgres,
  jumpingClock,
  killedShard,
  swappedStore,
} from "./scenarios/long-fault-scenarios.ts";
import { storeAway } from "./scenarios/store-away.ts";

const scenarios: Readonly<Record<string, Scenario>> = {
  chaos,
  "rolling-deploy": rollingDeploy,
  "graceful-exits": gracefulExits,
  "postgres-restarts": postgresRestarts,
  "store-away": storeAway,
  fuzz,
  attacks,
  "aborted-downloads": abortedDownloads,
  overload,
  clock,
  failpoints: failpointRounds,
  "swapped-store": swappedStore,
  "restored-backup": restoredBackup,
  "frozen-postgres": frozenPostgres,
  "closed-lane": closedLane,
  "foreign-jobs": foreignJobs,
  "damaged-files": damagedFiles,
  "jumping-clock": jumpingClock,
  "killed-shard": killedShard,
  "lagging-replica": laggingReplica,
  "mutation-check": mutationCheck,
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof UsageError ? error.message : error);
  return error instanceof UsageError ? 2 : 3;
});
// A fault can leave sockets open, which would keep this process running.
process.exit();

async function main(): Promise<number> {
  const parameters = readParameters(process.argv.slice(2), Object.keys(scenarios));
  if (parameters === null) {
    console.log(helpText);
    return 0;
  }
  const { scenario, seed, mutate, keep } = parameters;
  console.log(`${scenario}, seed ${seed}${mutate === undefined ? "" : `, without the protection ${mutate}`}`);
  const outcome = await scenarios[scenario]!(parameters, (line) => console.log(line));
  const held = printRunOutcome(outcome, (line) => console.log(line));
  if (held && !keep && scenario !== "mutation-check") await rm(outcome.folder, { recursive: true, force: true });
  return held ? 0 : 1;
}
