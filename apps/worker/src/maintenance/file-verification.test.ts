import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreMismatchError, type StoreIdentity } from "@reports/core/base";
import { createPeriodicTaskLocks, readReconcilerState } from "@reports/db";
import { createLogger, createMetrics } from "@reports/runtime";
import { createFileStore } from "@reports/storage";
import { afterAll, expect, test } from "vitest";
import { composeFileVerification } from "./compose-file-verification.ts";
import { declareFileVerificationTests, fits, shareVerification } from "../test/declare-file-verification-tests.ts";
import { createMaintenanceMetrics } from "./maintenance-metrics.ts";
import { createReadThrottle } from "./read-throttle.ts";

const never = new AbortController().signal;
const folder = await mkdtemp(join(tmpdir(), "file-verification-"));
afterAll(async () => rm(folder, { recursive: true }));
const openFolder = async () => createFileStore({ directory: join(folder, randomBytes(4).toString("hex")) });

const open = shareVerification(openFolder);

declareFileVerificationTests(open);

test("file verification runs under a lease, and reports damage in logs and metrics", async () => {
  const opened = await open();
  const report = await opened.succeeded();
  await opened.replace(report);
  await opened.note(report);
  const metrics = createMetrics();
  const observed = createMaintenanceMetrics(
    metrics,
    { finished: () => undefined },
    {
      heartbeatAgeMs: () => 0,
      lanes: async () => [],
      oldestSnapshotMs: async () => 0,
      storeState: () => "ok",
      reconciler: async () => opened.database.query(readReconcilerState),
    },
  );
  const lines: Record<string, unknown>[] = [];
  const works = (identity: StoreIdentity) =>
    composeFileVerification({
      database: opened.database,
      leases: createPeriodicTaskLocks(opened.database),
      files: opened.files,
      identity,
      logger: createLogger({
        name: "worker",
        level: "info",
        destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
      }),
      metrics: observed,
      limits: { digestWithinMs: 1, readBytesPerSecond: 1e9 },
    });
  const another = works({ assert: async () => Promise.reject(new StoreMismatchError("another store")) });
  await another.verify(never);
  await another.verifySuspiciousFiles(never);
  expect((await opened.find(report.id)).status).toBe("SUCCEEDED");
  // The round with the wrong store took the lease, so this round does nothing.
  await works(fits).verifySuspiciousFiles(never);
  expect((await opened.find(report.id)).status).toBe("SUCCEEDED");
  await opened.sql`update maintenance_turns set taken_at = '-infinity'`;
  await works(fits).verify(never);
  expect((await opened.find(report.id)).status).toBe("EXPIRED");
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: "error",
      reportId: report.id,
      property: "digest",
      storageKey: report.file!.storageKey,
    }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ msg: "stored files verified", digests: 1, damaged: 1 }));
  const { body } = await metrics.render();
  expect(body).toContain('reports_files_damaged_total{property="digest"} 1');
  expect(body).toContain('reports_files_verified_total{property="digest"} 1');
});

test("file reads beyond the configured byte rate wait, and a stop ends that wait", async () => {
  const stopping = new AbortController();
  const pace = createReadThrottle(1_000);
  const waiting = pace(1_000_000, stopping.signal);
  stopping.abort(new Error("the worker stops"));
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  await createReadThrottle(1e12)(1_000, never);
});
