import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { fastTimingsWithLongGrace, startWorkerProcesses } from "../test/worker-process.ts";

const often = { everyMs: 500, jitterMs: 100 };
/** The process that compares files has a low priority, so other tests can delay it for long. */
const timeoutMs = 110_000;

function isComparing(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("reconciler-main");
  } catch {
    // The process has ended meanwhile.
    return false;
  }
}

test.skipIf(process.platform !== "linux")(
  "a worker compares files in another process, and expires a file of a wrong size",
  async () => {
    await using processes = await startWorkerProcesses({
      clocks: { ...fastTimingsWithLongGrace, reconciliation: often },
    });
    // Takes the lease of comparisons, so that the first round begins when the test expects it.
    await processes.sql`insert into maintenance_turns (name, taken_at) values ('reconciliation', 'infinity')`;
    const worker = await processes.worker();
    const id = await processes.start();
    await processes.until(id, "SUCCEEDED");
    const { sizeBytes, storageKey } = (await processes.find(id)).file!;
    const path = join(processes.storageDir, storageKey);
    await rm(path);
    await writeFile(path, Buffer.alloc(sizeBytes + 1));
    // The reconciler compares only reports that ended at least a day ago.
    await processes.sql`update reports set finished_at = finished_at - interval '2 days'`;
    await processes.sql.begin(async (transaction) => {
      // The process of the round waits for this lock until the test has seen it.
      await transaction`lock table reconciler_log`;
      await processes.sql`delete from maintenance_turns where name = 'reconciliation'`;
      await waitFor(() => worker.children().some(isComparing), { what: "a process that compares files", timeoutMs });
    });
    await expect.poll(async () => (await processes.find(id)).status, { timeout: timeoutMs }).toBe("EXPIRED");
    await worker.waitForLog("a stored file is damaged");
    await worker.waitForLog("files and records compared", timeoutMs);
  },
  300_000,
);
