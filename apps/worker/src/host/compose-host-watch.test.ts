import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreUnavailableError } from "@reports/core/base";
import type { RunDeps } from "@reports/core/report";
import { createLogger, createMetrics } from "@reports/runtime";
import { createFileSystemStore } from "@reports/storage";
import { expect, onTestFinished, test } from "vitest";
import { productionTimings } from "../clocks.ts";
import { composeHostWatch, wrapRunDepsWithHostWatch } from "./compose-host-watch.ts";

const unused = async () => Promise.reject(new Error("not used"));

async function open() {
  const folder = await mkdtemp(join(tmpdir(), "host-watch-"));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const metrics = createMetrics();
  const host = composeHostWatch({
    metrics,
    spool: { glance: unused, prove: unused, largestFileBytes: () => 1 },
    renderers: { prove: unused },
    prove: unused,
    clocks: productionTimings.host,
    logger: createLogger({ name: "worker", level: "silent" }),
  });
  const store = createFileSystemStore({ directory: join(folder, "files") });
  const attempts = wrapRunDepsWithHostWatch(host, {
    files: store,
    render: unused,
    fetchKeptRows: unused,
  } satisfies Pick<RunDeps, "files" | "render" | "fetchKeptRows">);
  const path = join(folder, "finished");
  const sha256 = createHash("sha256").update("file").digest("hex");
  const put = async () =>
    attempts.files.put({ key: "reports/a.csv", path, sizeBytes: 4, sha256, contentType: "text/csv" });
  return { folder, host, metrics, path, put };
}

test("a finished file that is missing in the spool makes the worker take no reports", async () => {
  const { host, metrics, put } = await open();
  await expect(put()).rejects.toMatchObject({ name: "HostFailureError", part: "spool" });
  expect([host.isResting("spool"), host.isResting("store")]).toEqual([true, false]);
  expect((await metrics.render()).body).toContain('report_worker_resting{part="spool"} 1');
});

test("three failed writes to the store in a row make the worker take no reports", async () => {
  const { folder, host, path, put } = await open();
  await writeFile(path, "file");
  await writeFile(join(folder, "files"), "");
  for (let count = 1; count <= 3; count++) {
    expect(host.mayAcquire()).toBe(true);
    await expect(put()).rejects.toBeInstanceOf(StoreUnavailableError);
  }
  expect([host.isResting("spool"), host.isResting("store")]).toEqual([false, true]);
});
