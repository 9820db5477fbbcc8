import { setTimeout as wait } from "node:timers/promises";
import { isFulfilled } from "@reports/testing";
import { storeSwapKinds } from "../stand/store.ts";
import type { FaultContext, StandFault } from "./fault.ts";

const shortestMs = 12_000;
const longestMs = 20_000;
const sampleSize = 12;
/** Maximum ms until downloads succeed after the store is restored. Processes check the store only every few seconds, and some may be starting. */
const restoreLimitMs = 90_000;

interface StoredReport {
  readonly id: string;
  readonly reportType: string;
}

/**
 * Replaces the store for a while, as if a volume were not mounted, and requests files of the original store. No download may get 404 or 410, because
 * the files still exist.
 */
export const swapStoreFault: StandFault = {
  name: "store swapped and restored",
  weight: 1,
  async inject(context) {
    const { stand, ledger, random } = context;
    const stored = await stand.retryingSql<StoredReport[]>`
      select id, report_type as "reportType" from reports
      where status = 'SUCCEEDED' and deleted_at is null and file_of is null order by random() limit ${sampleSize}`;
    if (stored.length === 0) return false;
    const from = Date.now();
    // Each injection uses the next kind of swap, so that three injections show all.
    const by = storeSwapKinds[(ledger.faults.get(this.name) ?? 0) % storeSwapKinds.length]!;
    const restore = await stand.store.swap(by);
    const endsAt = from + random.integer(shortestMs, longestMs);
    try {
      while (Date.now() < endsAt) {
        // A store that has only lost its files still has its ID, and the service correctly answers 410. So a download would prove nothing about the
        // swap.
        if (by !== "without files") await tryDownload(context, random.pick(stored));
        await wait(200);
      }
    } finally {
      await restore();
    }
    if (by === "without files") ledger.timesWithoutFiles.push({ from, to: Date.now() });
    await waitUntilServed(context, stored);
    ledger.outages.push({ from, to: Date.now() });
    return true;
  },
};

async function tryDownload({ stand, caller, ledger }: FaultContext, { id, reportType }: StoredReport): Promise<void> {
  const response = await caller.download(reportType, id).catch(() => null);
  if (response === null || !(await isFulfilled(response.arrayBuffer()))) return;
  if (response.status !== 410 && response.status !== 404) return;
  // A client may have deleted the report meanwhile, and a 410 is then correct.
  if (await isUndeleted(stand, id)) {
    const what = `its download got ${response.status} while another store was in place`;
    ledger.breaches.push({ name: "I11", reportId: id, what });
  }
}

async function waitUntilServed(
  { stand, caller, ledger }: FaultContext,
  stored: readonly StoredReport[],
): Promise<void> {
  const endsAt = Date.now() + restoreLimitMs;
  for (const { id, reportType } of stored) {
    for (;;) {
      const response = await caller.download(reportType, id).catch(() => null);
      const bytes = await response?.arrayBuffer().catch(() => null);
      if (response?.status === 200 && bytes) break;
      const isGone = response?.status === 410;
      if (isGone && !(await isUndeleted(stand, id))) break;
      if (isGone || Date.now() > endsAt) {
        const what = `its download still gets ${response?.status ?? "no response"} after the store was restored`;
        ledger.breaches.push({ name: "I11", reportId: id, what });
        break;
      }
      await wait(500);
    }
  }
}

async function isUndeleted({ retryingSql }: FaultContext["stand"], id: string): Promise<boolean> {
  const [row] = await retryingSql<{ undeleted: boolean }[]>`
    select deleted_at is null as undeleted from reports where id = ${id}`;
  return row?.undeleted === true;
}
