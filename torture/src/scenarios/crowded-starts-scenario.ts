import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom, signalIfRunning } from "@reports/testing";
import { checkCrowdedStarts, type SentStart } from "../check/crowded-starts.ts";
import { describeCounts } from "../check/describe-counts.ts";
import { checkUnhandledErrors } from "../check/unhandled-errors.ts";
import { startFailpoints } from "../failpoints.ts";
import { createLoadClient, type LoadClient } from "../load/load-client.ts";
import { armFailpoint, waitForHit } from "../stand/armed-failpoints.ts";
import { startTortureStand, type TortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

const callers = 16;
/** Different starts of each caller. Some exceed its limit. */
const startsPerCaller = 24;
const startsAtATime = 6;
const unfinishedLimit = 20;
/** Duration of a SIGSTOP in ms. It exceeds the 10 s within which a transaction of the API must commit. */
const stopMs = 15_000;
const hitMs = 60_000;
/** Maximum ms until a caller has as many reports as its limit allows. */
const fillMs = 60_000;

const steps = startFailpoints.flatMap(({ name, actions }) => actions.map((action) => ({ name, action })));

export const crowdedStartsScenario: Scenario = async (parameters, say) => {
  const { seed, times, only } = parameters;
  const chosen = steps.filter(({ name }) => name.includes(only));
  if (chosen.length === 0) throw new Error(`No failpoint of starts has a name that contains ${only}.`);
  await using stand = await startTortureStand({
    ...parameters,
    // Without a worker no report ends, so all reports of a caller count against its limit.
    workers: 0,
    withFailpoints: true,
    environment: {
      UNFINISHED_REPORT_LIMIT: String(unfinishedLimit),
      // No caller exceeds this limit. With it, each transaction also locks and counts rows of the limits per minute.
      START_LIMIT_PER_MINUTE: "1000",
      OVERLOAD_QUEUE_LENGTH: "0",
      OVERLOAD_QUEUE_AGE_SECONDS: "0",
    },
  });
  const client = createLoadClient(stand, seed);
  const sent: SentStart[] = [];
  const send = async (subject: string, title: string, key?: string): Promise<number> => {
    const { status, id } = await startReport(client, subject, title, key);
    sent.push({ subject, title, status, id });
    return status;
  };
  let round = 0;
  for (const { name, action } of Array.from({ length: times }, () => chosen).flat()) {
    const random = createSeededRandom(seed, 10, ++round);
    const subjects = Array.from({ length: callers }, (_, caller) => `crowd-${round}-${caller}`);
    await readyApis(stand);
    await armFailpoint(stand, name, action);
    const bursts = subjects.map(async (subject) => {
      const planned = Array.from({ length: startsPerCaller }, (_, number) => {
        const title = `${subject}-${number}`;
        // One start in three has an idempotency key, and is sent twice at about the same time.
        return random.chance(1 / 3)
          ? [
              { title, key: title },
              { title, key: title },
            ]
          : [{ title }];
      }).flat();
      const lane = async (): Promise<void> => {
        for (let next = planned.shift(); next !== undefined; next = planned.shift())
          await send(subject, next.title, "key" in next ? next.key : undefined);
      };
      await Promise.all(Array.from({ length: startsAtATime }, lane));
    });
    const pid = await waitForHit(stand, name, hitMs);
    if (action === "stop") {
      await wait(stopMs);
      signalIfRunning(pid, "SIGCONT");
    }
    await Promise.all(bursts);
    await readyApis(stand);
    await Promise.all(subjects.map(async (subject) => sendUntilLimited(stand, subject, send)));
    say(`${round} of ${times * chosen.length}: ${name}, ${action}; ${sent.length} starts sent`);
  }
  return {
    snapshot: null,
    folder: stand.folder,
    figures: [`Responses (0 = none): ${describeCounts(client.responses)}`],
    findings: [...(await checkCrowdedStarts(stand, sent, unfinishedLimit)), await checkUnhandledErrors(stand.folder)],
  };
};

async function startReport(client: LoadClient, subject: string, title: string, key?: string) {
  const response = await client.send("POST", "/v1/reports", subject, {
    headers: { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) },
    body: JSON.stringify({ reportType: "PROXY", format: "csv", title }),
    signal: AbortSignal.timeout(90_000),
  });
  const text = await response?.text().catch(() => null);
  // After 503 with `outcome-unknown`, as after no response, the report may exist.
  if (response === null || typeof text !== "string" || text.includes("outcome-unknown")) return { status: 0, id: null };
  return { status: response.status, id: response.status === 202 ? (JSON.parse(text) as { id: string }).id : null };
}

/** Sends single starts until the caller has as many reports as its limit allows. If that takes longer than `fillMs`, E1 is violated. */
async function sendUntilLimited(
  { sql }: TortureStand,
  subject: string,
  send: (subject: string, title: string) => Promise<number>,
): Promise<void> {
  const endsAt = Date.now() + fillMs;
  for (let number = 0; Date.now() < endsAt; number++) {
    if ((await send(subject, `${subject}-single-${number}`)) === 202) continue;
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from reports where starts_with(title, ${`${subject}-`})`;
    if (row!.count >= unfinishedLimit) return;
    await wait(500);
  }
}

async function readyApis({ apis }: TortureStand): Promise<void> {
  await Promise.all(apis.map(async (api) => api.ready(hitMs)));
}
