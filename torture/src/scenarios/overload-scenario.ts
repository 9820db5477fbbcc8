import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom, raiseProcessPriority } from "@reports/testing";
import { createInvariantResult } from "../check/invariant-result.ts";
import { checkRecords } from "../check/invariants.ts";
import { endFaultsAndWaitUntilIdle } from "../check/end-faults-and-wait-until-idle.ts";
import { readDatabaseState } from "../check/database-state.ts";
import { createTortureToken } from "../load/load-client.ts";
import { createLedger } from "../load/ledger.ts";
import {
  callAtFixedRate,
  describeStatuses,
  findUnexpectedResponses,
  computeLatencyQuantileMs,
} from "../load/open-loop.ts";
import { reportVariants } from "../load/report-variants.ts";
import { steadyType } from "../report-types.ts";
import { startTortureStand, type TortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

/** The queue length from which the API refuses starts. A slightly shorter queue keeps the workers busy. */
const queueLength = 40;
const principals = 8;
const overloadFactor = 10;
const readsPerSecond = 20;
const calmMs = 45_000;
const refusalLimitMs = 50;
const minGoodputShare = 0.8;
const drainLimitMs = 120_000;

export const overloadScenario: Scenario = async (parameters, say) => {
  const { seed, minutes } = parameters;
  // Each worker has one slot, so that workers and callers do not compete for the processors of a small machine.
  const environment = { OVERLOAD_QUEUE_LENGTH: String(queueLength), WORKER_CONCURRENCY: "1" };
  await using stand = await startTortureStand({ ...parameters, apis: 1, environment });
  using _ = raiseProcessPriority(say);
  const api = stand.apis[0]!;
  const tokens = Array.from({ length: principals }, (_, number) =>
    createTortureToken(`principal-${number}`, stand.jwtSecret),
  );
  const call = async (path: string, number: number, init: RequestInit = {}): Promise<Response> =>
    fetch(`${api.origin}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${tokens[number % principals]}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(30_000),
    });
  const start = async (number: number): Promise<Response> => {
    const { request } = createSeededRandom(seed, 9, number).pick(builtInVariants);
    return call("/v1/reports", number, { method: "POST", body: JSON.stringify(request) });
  };
  const reading = new AbortController();
  const reads = callAtFixedRate(readsPerSecond, reading.signal, async (number) =>
    call(number % 2 === 0 ? "/v1/reports?limit=20" : "/v1/report-types", number),
  );

  const before = await measureCalm(stand, start);
  say(
    `Without overload ${before.toFixed(1)} reports finish per second; now ${(overloadFactor * before).toFixed(0)} are started per second.`,
  );

  const starting = new AbortController();
  const starts = callAtFixedRate(overloadFactor * before, starting.signal, start);
  const loaded = await measure(stand, async (until) => wait(until - Date.now()), minutes * 60_000);
  starting.abort();
  const responses = await starts;
  const drainedFrom = Date.now();
  await endFaultsAndWaitUntilIdle(stand, drainLimitMs);
  const drainedMs = Date.now() - drainedFrom;
  // The rate without overload is measured before and after the overload, because other work on the machine varies.
  const after = await measureCalm(stand, start);
  const calm = (before + after) / 2;
  reading.abort();
  const readResponses = await reads;
  await endFaultsAndWaitUntilIdle(stand, drainLimitMs);
  const snapshot = await readDatabaseState(stand);
  const accepted = responses.filter(({ status }) => status === 202);
  const acceptedIds = accepted.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  const refusals = responses.filter(({ status }) => status === 429);
  const refusalP99Ms = computeLatencyQuantileMs(refusals, 0.99);
  return {
    snapshot,
    folder: stand.folder,
    figures: [
      `${responses.length} starts in ${minutes} min: ${describeStatuses(responses)}`,
      `${readResponses.length} reads: ${describeStatuses(readResponses)}, p99 ${computeLatencyQuantileMs(readResponses, 0.99).toFixed(0)} ms`,
      `202 p99 ${computeLatencyQuantileMs(accepted, 0.99).toFixed(0)} ms; drained ${(drainedMs / 1000).toFixed(0)} s after the last start`,
    ],
    findings: [
      createInvariantResult(
        "O1",
        `a refusal takes less than ${refusalLimitMs} ms at the 99th percentile`,
        `p50 ${computeLatencyQuantileMs(refusals, 0.5).toFixed(1)} ms, p99 ${refusalP99Ms.toFixed(1)} ms`,
        refusalP99Ms < refusalLimitMs ? [] : [[null, `took ${refusalP99Ms.toFixed(1)} ms`]],
      ),
      createInvariantResult(
        "O2",
        `at least ${minGoodputShare * 100} % as many reports finish as without overload`,
        `${before.toFixed(1)}/s before, ${loaded.toFixed(1)}/s with it, ${after.toFixed(1)}/s afterwards: ${((100 * loaded) / calm).toFixed(0)} %`,
        loaded >= minGoodputShare * calm ? [] : [[null, "fewer did"]],
      ),
      createInvariantResult(
        "O3",
        "every accepted report has a record and succeeds",
        `${accepted.length} accepted`,
        acceptedIds
          .filter((id) => snapshot.records.get(id)?.status !== "SUCCEEDED")
          .map((id) => [id, `is ${snapshot.records.get(id)?.status ?? "no record"}`]),
      ),
      createInvariantResult(
        "O4",
        "starts are accepted or refused with 429, and some are refused",
        describeStatuses(responses),
        [
          ...findUnexpectedResponses(responses, [202, 429]),
          ...(refusals.length > 0 ? [] : [[null, "none was refused"] as const]),
        ],
      ),
      createInvariantResult(
        "O5",
        "reads continue",
        describeStatuses(readResponses),
        findUnexpectedResponses(readResponses, [200]),
      ),
      // The other invariants expect one start per principal, or kills. Here, a few principals start all reports, and no worker is killed.
      ...checkRecords(createLedger(), snapshot).filter(({ name }) => /^I[245689]$/.test(name)),
    ],
  };
};

/** Variants of the built-in report types. A report of TORTURE_STEADY only waits, so its rate says nothing about the load. */
const builtInVariants = reportVariants.filter(({ request }) => request.reportType !== steadyType.definition.type);

async function countOpen({ sql }: TortureStand): Promise<number> {
  const [row] = await sql<{ open: number }[]>`
    select count(*)::int as open from reports where status in ('QUEUED', 'RUNNING')`;
  return row!.open;
}

async function measureCalm(stand: TortureStand, start: (number: number) => Promise<Response>): Promise<number> {
  let next = 0;
  return measure(
    stand,
    async (until) => {
      while (Date.now() < until) {
        const missing = Math.max(0, queueLength - 5 - (await countOpen(stand)));
        await Promise.all(Array.from({ length: missing }, async () => (await start(next++)).text()));
        await wait(100);
      }
    },
    calmMs,
  );
}

/**
 * Returns succeeded reports per second during `work`, which lasts `lastMs`. The first tenth of that time does not count, because the queue is not
 * full yet.
 */
async function measure(
  { sql }: TortureStand,
  work: (until: number) => Promise<unknown>,
  lastMs: number,
): Promise<number> {
  const from = Date.now() + lastMs / 10;
  const to = Date.now() + lastMs;
  await work(to);
  const [row] = await sql<{ finished: number }[]>`
    select count(*)::int as finished from reports
    where status = 'SUCCEEDED' and finished_at between ${new Date(from)} and ${new Date(to)}`;
  return (row!.finished * 1000) / (to - from);
}
