import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { fastTimingsWithLongGrace, startWorkerProcesses, type WorkerProcess } from "../test/worker-process.ts";

const often = { everyMs: 500, jitterMs: 100 };

function isComparing(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("reconciler-main");
  } catch {
    // The process has ended meanwhile.
    return false;
  }
}

/** Waits until `isDone` returns true. Returns whether the worker had a process that compares files meanwhile. */
async function watchComparison(worker: WorkerProcess, isDone: () => Promise<boolean>): Promise<boolean> {
  let isSeen = false;
  const check = async (): Promise<boolean> => {
    isSeen ||= worker.children().some(isComparing);
    return isDone();
  };
  await waitFor(check, { what: "the comparison", timeoutMs: 110_000 });
  return isSeen;
}

test.skipIf(process.platform !== "linux")(
  "a worker compares files in separate processes, and expires a file of a wrong size",
  async () => {
    await using processes = await startWorkerProcesses({
      clocks: { ...fastTimingsWithLongGrace, reconciliation: often },
    });
    const worker = await processes.worker();
    const id = await processes.start();
    await processes.until(id, "SUCCEEDED");
    await worker.waitForLog("files and records compared");
    const { sizeBytes, storageKey } = (await processes.find(id)).file!;
    const path = join(processes.storageDir, storageKey);
    await rm(path);
    await writeFile(path, Buffer.alloc(sizeBytes + 1));
    // The reconciler compares only reports that ended at least a day ago.
    await processes.sql`update reports set finished_at = finished_at - interval '2 days'`;
    // Without this deletion, the next round would begin in an hour.
    await processes.sql`delete from maintenance_turns where name = 'reconciliation'`;
    const isExpired = async () => (await processes.find(id)).status === "EXPIRED";
    expect(await watchComparison(worker, isExpired)).toBe(true);
    await worker.waitForLog("a stored file is damaged");
  },
  300_000,
);
