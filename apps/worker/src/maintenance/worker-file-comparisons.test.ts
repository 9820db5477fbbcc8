import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { fastTimingsWithLongGrace, startWorkerProcesses } from "../test/worker-process.ts";

const often = { everyMs: 500, jitterMs: 100 };

const isComparing = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("reconciler-main");
  } catch {
    // The process has ended meanwhile.
    return false;
  }
};

test.skipIf(process.platform !== "linux")(
  "a worker compares files, and their sizes, with records in separate processes",
  async () => {
    await using processes = await startWorkerProcesses({
      clocks: { ...fastTimingsWithLongGrace, reconciliation: often, fileVerification: often },
    });
    const worker = await processes.worker();
    const id = await processes.start();
    await processes.until(id, "SUCCEEDED");
    const { sizeBytes, storageKey } = (await processes.find(id)).file!;
    const path = join(processes.storageDir, storageKey);
    await rm(path);
    await writeFile(path, Buffer.alloc(sizeBytes + 1));
    // The first rounds may have been before the damage. Without this, the next ones would begin in an hour.
    await processes.sql`delete from maintenance_turns where name in ('file-verification', 'reconciliation')`;
    let hasSeparateProcess = false;
    await waitFor(
      async () => {
        hasSeparateProcess ||= worker.children().some(isComparing);
        return (await processes.find(id)).status === "EXPIRED";
      },
      { what: "the report with the damaged file to expire", timeoutMs: 110_000 },
    );
    expect(hasSeparateProcess).toBe(true);
    expect(worker.log()).toContain("a stored file is damaged");
    await worker.waitForLog("files and records compared");
  },
  180_000,
);
