import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createDatabase, createStoreIdRepository } from "@reports/db";
import { newId } from "@reports/runtime";
import { adoptStore, createFileStore } from "@reports/storage";
import { waitFor, type StandProcess } from "@reports/testing";
import { describeCounts } from "../check/describe-counts.ts";
import { createInvariantResult, type InvariantResult } from "../check/invariant-result.ts";
import { checkRecords } from "../check/invariants.ts";
import { endFaultsAndWaitUntilIdle } from "../check/end-faults-and-wait-until-idle.ts";
import { readDatabaseState } from "../check/database-state.ts";
import { createLoadClient, type LoadClient } from "../load/load-client.ts";
import { createLedger } from "../load/ledger.ts";
import { makeReportAndWait } from "../load/make-report-and-wait.ts";
import { runLoad } from "../load/run-load.ts";
import { knowsNextTypeVariable } from "../processes/harness-types.ts";
import { largeType, newerVersionType } from "../report-types.ts";
import { findOlderCommandProblems } from "../stand/older-commands.ts";
import { endRunWith, repeatEvery } from "../stand/repeat-every.ts";
import { startTortureStand, type TortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

const downloadCount = 20;
const reportCount = 50;
const largeReport = largeType.definition.type;
/** Ms between two checks of the balancer. SHUTDOWN_DELAY_SECONDS allows several before an instance refuses requests, even if one is slow. */
const balancerCheckIntervalMs = 100;
const deployment = { SHUTDOWN_DELAY_SECONDS: "2", SHUTDOWN_GRACE_SECONDS: "60" };

export const rollingDeployScenario: Scenario = async (parameters, say) => {
  const { seed, old } = parameters;
  await using stand = await startTortureStand({ ...parameters, apis: 1, workers: 1, environment: deployment });
  using balancer = balance(stand);
  const caller = createLoadClient({ apis: balancer.ready, jwtSecret: stand.jwtSecret }, seed);
  const knowsNext = { [knowsNextTypeVariable]: "true" };
  const startApi = async (): Promise<StandProcess> => {
    const api = await stand.addApi(knowsNext);
    api.start();
    return api;
  };
  // With `--old`, no new API may start before the migration: an older schema does not fit it. Older workers may also fail reports of unknown types
  // instead of requeueing them.
  const earlyApi = old === undefined ? await startApi() : null;
  const early = earlyApi === null ? null : await startEarly(stand, earlyApi);
  if (early !== null) say("A report of a type that only the new API knows was requeued by the old worker.");
  const ledger = createLedger();
  const { id: large } = await makeReportAndWait(caller, { reportType: largeReport, format: "csv" });
  let streaming = downloadCount;
  const streams = Array.from({ length: downloadCount }, async () => {
    const hash = await downloadSlowly(caller, large);
    streaming--;
    return hash;
  });
  const load = runLoad(stand, caller, ledger, {
    seed,
    reports: reportCount,
    clients: 12,
    withInterventions: false,
    patienceMs: 120_000,
  });
  await waitFor(() => ledger.submitted >= 10, { what: "the first reports", timeoutMs: 60_000 });
  await stand.database.migrate();
  await adoptStoreOfStand(stand);
  const newWorker = await stand.addWorker(knowsNext);
  newWorker.start();
  const newApi = earlyApi ?? (await startApi());
  await Promise.all([newApi.ready(), newWorker.ready()]);
  say(
    `${old === undefined ? "The old instances are of this version." : `The old instances are of ${old}.`} The new ones are ready with ${ledger.submitted} of ${reportCount} reports started; the old ones get SIGTERM.`,
  );
  const interrupted = streaming;
  const olderCommands = findOlderCommandProblems(stand.database.url, stand.sql, old);
  const exits = await Promise.all([stand.apis[0]!.stop(), stand.workers[0]!.stop(90_000)]);
  say(`The old instances have exited with ${exits.join(" and ")}.`);
  await load;
  const hashes = await Promise.all(streams);
  await endFaultsAndWaitUntilIdle(stand, 60_000);
  const snapshot = await readDatabaseState(stand);
  const expected = snapshot.records.get(large)?.sha256;
  const unfinished = [...snapshot.records.values()].filter(({ status }) => status !== "SUCCEEDED");
  return {
    snapshot,
    folder: stand.folder,
    figures: [`Responses (0 = none): ${describeCounts(caller.responses)}`],
    findings: [
      createInvariantResult(
        "D1",
        "every download that streams during a deploy is complete",
        `${hashes.length} downloads, ${interrupted} of them streaming when the old instance got SIGTERM`,
        [
          ...hashes.filter((hash) => hash !== expected).map((hash) => [large, `a download ended as ${hash}`] as const),
          ...(interrupted === 0 ? [[null, "no download was streaming then: the run shows nothing"] as const] : []),
        ],
      ),
      createInvariantResult(
        "D2",
        "every report succeeds",
        `${snapshot.records.size} reports`,
        unfinished.map(({ id, status }) => [id, `is ${status}`]),
      ),
      createInvariantResult(
        "D3",
        "no call fails, and the old instances exit with 0",
        `exit codes ${exits.join(" and ")}`,
        [
          ...caller.troubles.map(({ what, status }) => [null, `${what}: ${status}`] as const),
          ...exits.filter((code) => code !== 0).map((code) => [null, `exit code ${code}`] as const),
        ],
      ),
      createInvariantResult(
        "D5",
        "the commands of the old version change nothing on the migrated database",
        "migrate and database-roles",
        (await olderCommands).map((trouble) => [null, trouble]),
      ),
      ...(early === null ? [] : [await checkUnknownTypeReport(stand, early)]),
      ...checkRecords(ledger, snapshot),
    ],
  };
};

function balance(stand: TortureStand): Disposable & { readonly ready: StandProcess[] } {
  const ready = [...stand.apis];
  const check = async (): Promise<void> => {
    const seen = await Promise.all(stand.apis.map(async (api) => ((await api.isReady()) ? [api] : [])));
    ready.splice(0, ready.length, ...seen.flat());
  };
  const repetition = repeatEvery(balancerCheckIntervalMs, check, endRunWith);
  return { ready, ...repetition };
}

async function startEarly(stand: TortureStand, newApi: StandProcess): Promise<string> {
  await newApi.ready();
  const caller = createLoadClient({ apis: [newApi], jwtSecret: stand.jwtSecret }, 1);
  const id = await caller.start({ reportType: newerVersionType.definition.type, format: "csv" }, "early");
  const wasRequeued = async () => (await readEarly(stand, id)).requeues > 0;
  await waitFor(wasRequeued, { what: "a worker to requeue a report of an unknown type", timeoutMs: 60_000 });
  return id;
}

async function checkUnknownTypeReport(stand: TortureStand, id: string): Promise<InvariantResult> {
  const { status, attempt, failures, requeues } = await readEarly(stand, id);
  const isUnspent = status === "SUCCEEDED" && attempt === 1 && failures === 0;
  return createInvariantResult(
    "D4",
    "a report that only the new API knows waits for the new worker, without a failed attempt",
    `requeued ${requeues} times`,
    isUnspent ? [] : [[id, `is ${status} after ${attempt} attempts and ${failures} failures`]],
  );
}

async function readEarly({ sql }: TortureStand, id: string) {
  const [row] = await sql<{ status: string; attempt: number; failures: number; requeues: number }[]>`
    select status, attempt, failures, hand_backs as "requeues" from reports where id = ${id}`;
  return row!;
}

async function downloadSlowly(caller: LoadClient, id: string): Promise<string> {
  const hash = createHash("sha256");
  let left = NaN;
  try {
    const response = await caller.download(largeReport, id, AbortSignal.timeout(120_000));
    left = Number(response.headers.get("content-length"));
    for await (const chunk of response.body!) {
      hash.update(chunk as Uint8Array);
      left -= (chunk as Uint8Array).length;
      await wait(((chunk as Uint8Array).length / largeFileBytes) * 15_000);
    }
  } catch (error) {
    // If the connection closes before a slow reader is done, Node's fetch can fail although all bytes have arrived (nodejs/undici#5360).
    if (left !== 0) return (error as Error).message;
  }
  return hash.digest("hex");
}

const largeFileBytes = 10 * 1024 ** 2;

async function adoptStoreOfStand(stand: TortureStand): Promise<void> {
  const database = createDatabase({ url: stand.database.proxiedUrl, max: 2 });
  const record = createStoreIdRepository(database);
  await adoptStore({ store: await createFileStore(stand.store.direct), record, newId }, { force: false });
  await database.close();
}
