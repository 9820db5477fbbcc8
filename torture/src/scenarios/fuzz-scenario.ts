import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom } from "@reports/testing";
import { describeCounts } from "../check/describe-counts.ts";
import { createInvariantResult } from "../check/invariant-result.ts";
import { checkProcessUsage } from "../check/process.ts";
import { quantile } from "../check/recovery.ts";
import { fuzzRequest } from "../fuzz/fuzz-request.ts";
import { findResponseProblem } from "../fuzz/find-response-problem.ts";
import { exchangeRawHttp } from "../fuzz/raw-exchange.ts";
import { rememberCreatedId, readFuzzInputs } from "../fuzz/fuzz-inputs.ts";
import { forEachNumber } from "../load/for-each-number.ts";
import { createLoadClient, createTortureToken } from "../load/load-client.ts";
import { makeReportAndWait } from "../load/make-report-and-wait.ts";
import { readProcessUsage, watchPeakMemory } from "../stand/process-usage.ts";
import { startTortureStand, type TortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

/** Share of the requests before the measurement. After these, pools and caches have their final size. */
const warmUpShare = 0.1;

export const fuzzScenario: Scenario = async (parameters, say) => {
  const { seed, times, clients } = parameters;
  await using stand = await startTortureStand({ ...parameters, apis: 1, workers: 1 });
  const api = stand.apis[0]!;
  const pid = api.pid!;
  const port = Number(new URL(api.origin).port);
  const report = await makeReportAndWait(createLoadClient(stand, seed), { reportType: "PROXY", format: "csv" });
  // The worker is stopped, so that started reports do not run. Only the API is tested.
  await stand.workers[0]!.stop();
  const inputs = await readFuzzInputs(api, authorizationsOf(stand), {
    reports: report.id,
    files: report.file!.id,
    ...(await readInventoryIds(stand)),
  });
  const problems = new Map<number, string>();
  const statuses = new Map<string, number>();
  const durationsMs: number[] = [];

  async function fuzzOne(number: number): Promise<void> {
    const request = fuzzRequest(createSeededRandom(seed, 7, number), inputs);
    const { bytes, isHead, isCutShort: halfClose } = request;
    const startedAt = performance.now();
    const response = await exchangeRawHttp(port, bytes, { isHead, halfClose });
    durationsMs.push(performance.now() - startedAt);
    const status = typeof response === "string" ? "none" : String(response.status);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const problem = findResponseProblem(response, request);
    if (problem !== null) {
      const head = JSON.stringify(withoutToken(bytes.toString("latin1", 0, 1_000)));
      problems.set(number, `request ${number}: ${problem}; it began ${head}`);
    }
    const location = typeof response === "string" ? undefined : response.headers.get("location");
    if (location !== undefined) rememberCreatedId(inputs, location);
    if (number > 0 && number % 10_000 === 0) say(`${number} of ${times} requests, ${problems.size} problems`);
  }

  const warmUps = Math.ceil(times * warmUpShare);
  await forEachNumber({ to: warmUps, concurrency: clients }, fuzzOne);
  const warm = await quietUsage(pid);
  using memory = watchPeakMemory(pid);
  await forEachNumber({ from: warmUps, to: times, concurrency: clients }, fuzzOne);
  const inMs = (share: number): string => `${Math.round(quantile(durationsMs, share) ?? 0)} ms`;
  return {
    snapshot: null,
    folder: stand.folder,
    figures: [
      `${inputs.operations.length} operations, ${times} requests; responses after p50 ${inMs(0.5)}, p99 ${inMs(0.99)}, max ${inMs(1)}`,
      `Responses: ${describeCounts(statuses)}`,
    ],
    findings: [
      createInvariantResult(
        "F1",
        "every HTTP request gets a response, never a 5xx, and every error is a problem with its request ID",
        `${times} requests`,
        [...problems.values()].map((problem) => [null, problem]),
      ),
      ...checkProcessUsage(api, { warm, peakBytes: memory.peakBytes, end: await quietUsage(pid) }),
    ],
  };
};

function withoutToken(text: string): string {
  return text.replace(/Bearer ey[\w.-]+/, "Bearer …").slice(0, 400);
}

async function quietUsage(pid: number) {
  await wait(5_000);
  return readProcessUsage(pid);
}

function authorizationsOf({ jwtSecret }: TortureStand) {
  const good = createTortureToken("admin", jwtSecret, ["REGISTRY_READ", "REGISTRY_WRITE"]);
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;
  return {
    good: `Bearer ${good}`,
    bad: [
      `Bearer ${createTortureToken("somebody", jwtSecret)}`,
      `Bearer ${good}x`,
      `Bearer ${good.slice(0, -5)}`,
      "Bearer",
      "",
      `bearer  ${good}`,
      `Bearer ${"a".repeat(9_000)}`,
      "Bearer a.b.c",
      "Negotiate abc",
      "Basic",
      "Basic !!!",
      basic("alice:secret"),
      basic("alice"),
      basic(":"),
      basic("\0:\0"),
      basic(`${"x".repeat(3_000)}:y`),
    ],
  };
}

async function readInventoryIds({ sql }: TortureStand): Promise<{ proxies: string; domains: string }> {
  const [row] = await sql<{ proxies: string; domains: string }[]>`
    select proxy_id as proxies, id as domains from domains limit 1`;
  return row!;
}
