import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom } from "@reports/testing";
import { describeCounts } from "../check/describe-counts.ts";
import { createInvariantResult } from "../check/invariant-result.ts";
import { checkProcessUsage } from "../check/process.ts";
import { abortDownload, downloadAbortWays } from "../load/abort-download.ts";
import { forEachNumber } from "../load/for-each-number.ts";
import { createLoadClient, createTortureToken } from "../load/load-client.ts";
import { makeReportAndWait } from "../load/make-report-and-wait.ts";
import { bulkType } from "../report-types.ts";
import { countOpenFiles, formatMebibytes, readProcessUsage, watchPeakMemory } from "../stand/process-usage.ts";
import { startTortureStand, type TortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

/** Downloads before the measurement. After this number, pools and buffers have their final size. */
const warmUpDownloads = 50;
/** Ms after which idle connections to the store are closed. The API keeps them for a shorter time. */
const idleConnectionMs = 15_000;

export const abortedDownloadsScenario: Scenario = async (parameters, say) => {
  const { seed, times, clients } = parameters;
  await using stand = await startTortureStand({ ...parameters, apis: 1, workers: 1 });
  const api = stand.apis[0]!;
  const pid = api.pid!;
  const caller = createLoadClient(stand, seed);
  const { id, file } = await makeReportAndWait(caller, { reportType: bulkType.definition.type, format: "csv" });
  // The worker is stopped, so that only the API has connections to the store.
  await stand.workers[0]!.stop();
  // Read while there are no downloads. One connection is normal, because the API checks the store ID every few seconds.
  const before = await readQuiet(stand, pid);
  const target = {
    port: Number(new URL(api.origin).port),
    path: `/v1/report/download?reportType=${bulkType.definition.type}&id=${id}`,
    token: createTortureToken("reader", stand.jwtSecret),
    size: file!.size,
  };
  const left = new Map<string, number>();
  const violations: (readonly [null, string])[] = [];

  async function abortOne(number: number): Promise<void> {
    const random = createSeededRandom(seed, 8, number);
    const way = random.pick(downloadAbortWays);
    left.set(way, (left.get(way) ?? 0) + 1);
    const problem = await abortDownload(random, target, way);
    if (problem !== null) violations.push([null, `download ${number}, aborted ${way}: ${problem}`]);
    if (number > 0 && number % 500 === 0) say(`${number} of ${times} downloads`);
  }

  const warmUps = Math.min(warmUpDownloads, times);
  await forEachNumber({ to: warmUps, concurrency: clients }, abortOne);
  const warm = await readQuiet(stand, pid);
  using memory = watchPeakMemory(pid);
  const startedAt = Date.now();
  await forEachNumber({ from: warmUps, to: times, concurrency: clients }, abortOne);
  const lastedMs = Date.now() - startedAt;
  const end = await readQuiet(stand, pid);
  const whole = await caller.download(bulkType.definition.type, id);
  const hash = createHash("sha256").update(Buffer.from(await whole.arrayBuffer()));
  const isWhole = hash.digest("hex") === file!.sha256;
  return {
    snapshot: null,
    folder: stand.folder,
    figures: [
      `A file of ${formatMebibytes(target.size)} from ${stand.store.kind}, ${Math.round((times * 1000) / Math.max(lastedMs, 1))} downloads/s`,
      `Aborted: ${describeCounts(left)}`,
    ],
    findings: [
      createInvariantResult("A1", "a download continues until its caller aborts it", `${times} downloads`, violations),
      createInvariantResult(
        "A2",
        "no stored file is left open, and there are no more connections to the store than before the first download",
        `${end.openFiles} files, ${end.connections} connections, ${before.connections} before`,
        end.openFiles > 0 || end.connections > before.connections ? [[null, "some are"]] : [],
      ),
      createInvariantResult(
        "A3",
        "afterwards a download is complete",
        file!.sha256,
        isWhole ? [] : [[id, "has another hash"]],
      ),
      ...checkProcessUsage(api, { warm, peakBytes: memory.peakBytes, end }),
    ],
  };
};

async function readQuiet({ folder, store }: TortureStand, pid: number) {
  await wait(idleConnectionMs);
  return {
    ...readProcessUsage(pid),
    openFiles: countOpenFiles(pid, `${folder}/files`),
    connections: store.proxy?.openConnections ?? 0,
  };
}
