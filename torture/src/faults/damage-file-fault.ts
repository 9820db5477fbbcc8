import { setTimeout as wait } from "node:timers/promises";
import { overwriteStoredFile } from "../stand/store.ts";
import type { FaultContext, StandFault } from "./fault.ts";

interface StoredReport {
  readonly id: string;
  readonly reportType: string;
  readonly key: string;
  readonly size: number;
}

const damageWays = ["same size", "shorter"] as const;
/** Maximum ms until downloads get 410. The harness requests the file continuously, so that the service notices the damage. */
const noticedMs = 60_000;

export const damageFileFault: StandFault = {
  name: "stored file damaged",
  weight: 1,
  async inject(context) {
    const { stand, ledger, random } = context;
    // The load cancels and deletes reports only in their first seconds, so it does not touch an older one during the fault.
    const [chosen] = await stand.retryingSql<StoredReport[]>`
      select id, report_type as "reportType", file_storage_key as key, file_size_bytes::float8 as size from reports
      where status = 'SUCCEEDED' and deleted_at is null and file_of is null and file_size_bytes > 100
        and finished_at < clock_timestamp() - interval '10 seconds'
      order by random() limit 1`;
    if (chosen === undefined) return false;
    const way = damageWays[(ledger.faults.get(this.name) ?? 0) % damageWays.length]!;
    const bytes = await readStoredFile(stand.files, chosen.key);
    const damaged =
      way === "shorter" ? bytes.subarray(0, bytes.length >> 1) : flipByte(bytes, random.integer(0, bytes.length - 1));
    // The ledger notes the file before its replacement, because the file is missing for a moment. Other checks must not count that as a violation.
    ledger.damaged.set(chosen.id, chosen.key);
    await overwriteStoredFile(stand.files, chosen.key, damaged);
    await checkDownloads(context, chosen, way);
    return true;
  },
};

async function checkDownloads(
  { caller, ledger }: FaultContext,
  { id, reportType, size }: StoredReport,
  way: string,
): Promise<void> {
  const breach = (what: string): void =>
    void ledger.breaches.push({ name: "B1", reportId: id, what: `(${way}) ${what}` });
  const endsAt = Date.now() + noticedMs;
  for (let isOver = false, delivered = false; !isOver;) {
    const response = await caller.download(reportType, id).catch(() => null);
    const bytes = await response?.arrayBuffer().catch(() => null);
    if (response?.status === 410) return;
    if (response?.status === 200 && bytes && !delivered) {
      delivered = true;
      breach(`was delivered as complete with ${bytes.byteLength} bytes, but the record says ${size}`);
    }
    isOver = Date.now() > endsAt;
    await wait(500);
  }
  breach(`did not get 410 within ${noticedMs / 1000} s`);
}

async function readStoredFile(files: FaultContext["stand"]["files"], key: string): Promise<Buffer> {
  const { body } = await files.open(key);
  return Buffer.concat((await body.toArray()) as Buffer[]);
}

function flipByte(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at]! ^= 0xff;
  return changed;
}
