import { setTimeout as wait } from "node:timers/promises";
import { createInvariantResult } from "../check/invariant-result.ts";
import { endFaultsAndWaitUntilIdle } from "../check/end-faults-and-wait-until-idle.ts";
import { readDatabaseState } from "../check/database-state.ts";
import { createLoadClient } from "../load/load-client.ts";
import { makeReportAndWait } from "../load/make-report-and-wait.ts";
import { endRunWith, repeatEvery } from "../stand/repeat-every.ts";
import { startTortureStand, type TortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

const delaySeconds = 90;
const betweenTicksMs = 1_000;
const reports = 3;

interface Tick {
  readonly sentAt: number;
  readonly committedAt: number;
}

export const laggingReplicaScenario: Scenario = async (parameters, say) => {
  const { seed } = parameters;
  await using stand = await startTortureStand({ ...parameters, apis: 1, workers: 0 });
  const replica = await stand.database.startReplica(await stand.database.backUp(), delaySeconds);
  const worker = await stand.addWorker({ REPORT_DATABASE_URL: replica });
  worker.start();
  await Promise.all([...stand.apis, worker].map(async (instance) => instance.ready()));
  const caller = createLoadClient(stand, seed);
  using ticker = startTicking(stand);
  // After the wait below, the standby has the first ticks of the primary, and still lacks the last ones.
  say(`The standby is ${delaySeconds} s behind; reports are started once it has the first changes.`);
  await wait(delaySeconds * 1_000 + 10_000);
  const violations: (readonly [string, string])[] = [];
  const lags: number[] = [];
  for (let number = 1; number <= reports; number++) {
    const request = { reportType: "PROXY", format: "ndjson", columns: ["name", "ownerTeam"] } as const;
    const { id, dataAsOf, warnings } = await makeReportAndWait(caller, request, String(number));
    const text = await (await caller.download("PROXY", id)).text();
    const shown = Number(/tick-(\d+)/.exec(text)?.[1] ?? -1);
    const asOf = Date.parse(dataAsOf ?? "");
    lags.push(Date.now() - asOf);
    const next = ticker.ticks[shown + 1];
    if (!Number.isFinite(asOf)) violations.push([id, "has no dataAsOf"]);
    else if (next === undefined)
      violations.push([id, `shows tick ${shown}, which is the last: the standby is not behind`]);
    else if (asOf >= next.committedAt) {
      const seconds = ((asOf - next.committedAt) / 1000).toFixed(1);
      violations.push([id, `has dataAsOf ${dataAsOf}, but lacks a change that was committed ${seconds} s before`]);
    }
    if (warnings.length === 0) violations.push([id, "has no warning"]);
    await wait(2_000);
  }
  await endFaultsAndWaitUntilIdle(stand, 60_000);
  const snapshot = await readDatabaseState(stand);
  return {
    snapshot,
    folder: stand.folder,
    figures: [`dataAsOf ${lags.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(", ")} before the download`],
    findings: [
      createInvariantResult(
        "T1",
        "a report of a lagging standby has everything that was committed until its dataAsOf, and a warning",
        `${reports} reports, ${ticker.ticks.length} changes, ${delaySeconds} s behind`,
        violations,
      ),
    ],
  };
};

function startTicking({ sql }: TortureStand): Disposable & { readonly ticks: readonly Tick[] } {
  const ticks: Tick[] = [];
  const tick = async (): Promise<void> => {
    const sentAt = Date.now();
    await sql`update proxies set owner_team = ${`tick-${ticks.length}`} where name = (select min(name) from proxies)`;
    ticks.push({ sentAt, committedAt: Date.now() });
  };
  return { ticks, ...repeatEvery(betweenTicksMs, tick, endRunWith) };
}
