import { attackKinds as every } from "../attacks/every-attack.ts";
import { prepareOtherCallers } from "../attacks/other-callers.ts";
import { createInvariantResult } from "../check/invariant-result.ts";
import { checkProcessKeepsRunning } from "../check/process.ts";
import { checkUnhandledErrors } from "../check/unhandled-errors.ts";
import { createTortureToken } from "../load/load-client.ts";
import { startTortureStand, type TortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

const environment = {
  // The largest attack opens this many connections. So only the limit per address keeps connections free for other callers.
  CONNECTION_LIMIT: "400",
  // On a busy machine, a list of another caller can take longer than the default limit.
  LIST_TIMEOUT_SECONDS: "30",
};
const inventory = ["REGISTRY_READ", "REGISTRY_WRITE"];

export const attackScenario: Scenario = async (parameters, say) => {
  const { times, only } = parameters;
  await using stand = await startTortureStand({ ...parameters, apis: 1, workers: 0, environment });
  const api = stand.apis[0]!;
  const { origin } = api;
  const token = createTortureToken("other", stand.jwtSecret, inventory);
  const others = await prepareOtherCallers({ origin, databaseUrl: stand.database.url, token });
  const target = {
    origin,
    token: createTortureToken("attacker", stand.jwtSecret, inventory),
    lockDomains: async () => lockDomains(stand),
  };
  const chosen = every.filter(({ name }) => name.includes(only));
  const unserved: (readonly [null, string])[] = [];
  const unrefused: (readonly [null, string])[] = [];

  for (const { name, begin } of chosen) {
    const attack = await begin(target);
    let problems: readonly string[] = [];
    for (let time = 0; time < times && problems.length === 0; time++) problems = await others.sendAll();
    unserved.push(...problems.map((what) => [null, `${name}: ${what}`] as const));
    const { seen, unexpected } = await attack.end();
    unrefused.push(...unexpected.map((what) => [null, `${name}: ${what}`] as const));
    say(`${name}: ${seen}`);
  }
  unserved.push(...(await others.sendAll()).map((what) => [null, `after the attacks: ${what}`] as const));
  return {
    snapshot: null,
    folder: stand.folder,
    figures: [],
    findings: [
      createInvariantResult(
        "X1",
        "every request of other callers is answered during and after an attack",
        `${others.requests} requests during ${chosen.length} attacks`,
        unserved,
      ),
      createInvariantResult("X2", "attackers get only refusals", `${chosen.length} attacks`, unrefused),
      checkProcessKeepsRunning(api),
      await checkUnhandledErrors(stand.folder),
    ],
  };
};

async function lockDomains({ sql }: TortureStand): Promise<() => Promise<void>> {
  const connection = await sql.reserve();
  await connection`begin`;
  await connection`lock table domains in access exclusive mode`;
  return async () => {
    await connection`rollback`;
    connection.release();
  };
}
