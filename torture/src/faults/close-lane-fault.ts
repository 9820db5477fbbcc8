import { setTimeout as wait } from "node:timers/promises";
import { waitFor } from "@reports/testing";
import { readJobs } from "../check/database-state.ts";
import { csvVariants } from "../load/report-variants.ts";
import { bulkReportRequest, bulkLaneWorkerName } from "../stand/lanes.ts";
import type { FaultContext, StandFault } from "./fault.ts";

const bulkReportCount = 4;
const shortestMs = 15_000;
const longestMs = 25_000;
const betweenStartsMs = 1_000;
const cancelMs = 120_000;
/**
 * Milliseconds. If a short report waits longer than this, the API may refuse short reports. The limit in `closed-lane` is 7 s, and a refusal can
 * use a reading of the queue that is 2 s old.
 */
const lateMs = 4_000;

export const closeLaneFault: StandFault = {
  name: "lane of long reports closed",
  weight: 1,
  async inject(context) {
    const { stand, caller, ledger, random } = context;
    const worker = stand.workers.find(({ name }) => name === bulkLaneWorkerName);
    if (worker === undefined) return false;
    const from = Date.now();
    await worker.stop();
    try {
      const waiting = await Promise.all(
        Array.from({ length: bulkReportCount }, async (_, number) => {
          const key = `bulk-${from}-${number}`;
          const id = await caller.start(bulkReportRequest, key);
          ledger.entries.set(id, { id, key, variant: null });
          return id;
        }),
      );
      const endsAt = Date.now() + random.integer(shortestMs, longestMs);
      for (let number = 1; Date.now() < endsAt; number++) {
        if (number === 3) for (const id of waiting.slice(0, 2)) await cancel(context, id);
        const variant = random.pick(csvVariants);
        const title = `short-${from}-${number}`;
        const { status, id } = await caller.startOnce(variant.request, title);
        if (id !== null) ledger.entries.set(id, { id, key: title, variant });
        if (status === 429 && !(await isOwnLaneLate(context))) {
          const what = `the short report ${title} was refused while only long ones had no worker`;
          ledger.breaches.push({ name: "Q1", reportId: null, what });
        }
        await wait(betweenStartsMs);
      }
    } finally {
      worker.start();
    }
    return true;
  },
};

/** Reports whether short reports wait so long on a busy machine that the API may refuse further short reports. */
async function isOwnLaneLate({ stand }: FaultContext): Promise<boolean> {
  const late = await stand.retryingSql`
    select from reports where lane = 'quick'
      and coalesce(started_at, finished_at, clock_timestamp()) > created_at + make_interval(secs => ${lateMs / 1000})
      and coalesce(started_at, finished_at, clock_timestamp()) > clock_timestamp() - interval '10 seconds' limit 1`;
  return late.length > 0;
}

async function cancel({ stand, caller, ledger }: FaultContext, id: string): Promise<void> {
  await waitFor(async () => (await caller.cancel(id)) !== null, {
    what: "a cancel",
    timeoutMs: cancelMs,
    intervalMs: 500,
  });
  const [record] = await stand.retryingSql<{ status: string }[]>`
    select status from reports where id = ${id}`;
  if (record?.status !== "CANCELLED") return;
  if ((await readJobs(stand)).some(({ reportId }) => reportId === id)) {
    ledger.breaches.push({ name: "Q1", reportId: id, what: "was cancelled while it waited, but has a job" });
  }
}
