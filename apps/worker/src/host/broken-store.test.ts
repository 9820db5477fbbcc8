import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isFullTestRun, mountSmallDisk, waitFor } from "@reports/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { fastTimingsWithLongGrace, startWorkerProcesses } from "../test/worker-process.ts";

const clocks = isFullTestRun ? "production" : fastTimingsWithLongGrace;
const disk = mountSmallDisk(64 * 1024 ** 2);
afterAll(() => disk?.unmount());
const mount = (...options: readonly string[]) => execFileSync("mount", options);

test(
  "a worker that can't write to the store takes no reports, and another runs them",
  {
    timeout: 300_000,
    skip: disk === null,
  },
  async () => {
    await using processes = await startWorkerProcesses({ clocks });
    const [shared, own] = [join(disk!.path, "shared"), join(disk!.path, "own")];
    for (const folder of [shared, own]) mkdirSync(folder);
    mount("--bind", shared, own);
    onTestFinished(() => void execFileSync("umount", ["-l", own]));
    const broken = await processes.worker({ STORAGE_DIR: own, WORKER_CONCURRENCY: "2" });
    const storage = async () => {
      const response = await fetch(`${broken.origin()}/health/ready`);
      const { checks } = (await response.json()) as { checks: { storage: { status: string } } };
      return [response.status, checks.storage.status];
    };
    const until = (expected: readonly unknown[]) =>
      waitFor(async () => (await storage()).join() === expected.join(), { what: expected.join(), timeoutMs: 60_000 });
    await until([200, "ok"]);
    mount("-o", "remount,bind,ro", own);
    const ids = [];
    for (let count = 0; count < 10; count++) ids.push(await processes.start());
    await until([503, "failing"]);
    await broken.waitForLog("this worker takes no reports");
    await processes.worker({ STORAGE_DIR: shared });
    for (const id of ids) await processes.until(id, "SUCCEEDED", 120_000);
    expect(await processes.sql`select from reports where failures > 0`).toEqual([]);
    // The worker rests after three failures in a row. It may have begun other reports before the third one.
    expect(await processes.claimsOf(broken)).toBeLessThanOrEqual(6);
    mount("-o", "remount,bind,rw", own);
    await until([200, "ok"]);
  },
);
