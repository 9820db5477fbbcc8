import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { isTakenOver } from "./test/worker-deaths.ts";
import { fastClocks, startWorkerProcesses } from "./test/worker-process.ts";

// The tests wait more than they compute, and each has its own database and processes.

test.concurrent("another worker takes over a killed one's report, and no lock or job is left", async () => {
  await isTakenOver(fastClocks);
}, 180_000);

test.concurrent(
  "another worker makes the further file of a killed one, once and of the kept rows",
  { skip: process.platform !== "linux", timeout: 360_000 },
  async () => {
    await using processes = await startWorkerProcesses({ clocks: fastClocks });
    const first = await processes.worker();
    const id = await processes.start("csv", undefined, {}, { keepRows: true });
    await processes.until(id, "SUCCEEDED", 120_000);
    const report = await processes.find(id);
    // Renderers that stand still: the file is being made for as long as it takes to kill their worker.
    for (const pid of first.renderers()) process.kill(pid, "SIGSTOP");
    const fileId = await processes.addFile(report, { format: "csv" });
    const hasBegun = async () => (await processes.leftovers()).some((path) => path.includes(`${fileId}-1-source`));
    await waitFor(hasBegun, { what: "the kept rows to be fetched", timeoutMs: 120_000 });
    first.signal("SIGKILL");
    await first.ended;
    await processes.sql`delete from stored_domains`;
    await processes.worker();
    const find = async () => (await processes.reports.findFile(id, fileId))!;
    await waitFor(async () => (await find()).status === "SUCCEEDED", { what: "the further file", timeoutMs: 120_000 });
    const made = await find();
    expect(made).toMatchObject({ attempt: 2, failures: 0, rowCount: 200, file: { sha256: report.file!.sha256 } });
    const { storageKey } = (await processes.reports.findKeptRows(id))!;
    const stored = (await processes.leftovers()).filter((path) => path.startsWith("reports/"));
    expect(new Set(stored)).toEqual(new Set([report.file!.storageKey, storageKey, made.file!.storageKey]));
    expect(stored).toHaveLength(3);
  },
);
