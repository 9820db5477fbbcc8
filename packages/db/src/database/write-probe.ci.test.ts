import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { unlimitedStarts } from "@reports/core/report";
import { mountSmallDisk, makeNewReport, startPostgres, throwAwayPostgresSettings, waitFor } from "@reports/testing";
import { describe, expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportStore } from "../reports/report-store.ts";
import { createDatabase } from "./database.ts";
import { createWriteCheck } from "./write-probe.ts";

const disk = mountSmallDisk(256 * 1024 ** 2);
const isReady = async (probe: () => Promise<void>): Promise<boolean> =>
  probe().then(
    () => true,
    () => false,
  );

describe.skipIf(disk === null)("on a full disk", () => {
  test("the write probe fails while Postgres's disk is full and succeeds afterwards", async () => {
    const dataDir = join(disk!.path, "data");
    const server = await startPostgres({
      dataDir,
      settings: { ...throwAwayPostgresSettings, max_wal_size: "32MB", min_wal_size: "32MB", shared_buffers: "16MB" },
    });
    const database = createDatabase({ url: server.url, max: 2 });
    const probe = createWriteCheck(database, { everyMs: 0, retryMs: 0 });
    const store = createReportStore(database);
    const start = async () => store.createQueued(makeNewReport(), unlimitedStarts);
    const filler = join(disk!.path, "filler");
    try {
      await migrateDatabase({ databaseUrl: server.url });
      await start();
      await waitFor(async () => isReady(probe), { what: "a write" });
      expect(() => {
        for (let size = 0; ; size++) writeFileSync(filler, Buffer.alloc(64 * 1024, 1), { flag: "a" });
      }).toThrow("ENOSPC");
      await waitFor(async () => !(await isReady(probe)), { what: "the probe to fail" });
      await expect(probe()).rejects.toMatchObject({ message: expect.stringContaining("53100") as string });
      await rm(filler);
      await waitFor(async () => isReady(probe), { what: "the probe to succeed again" });
      await start();
    } finally {
      await database.close();
      await server.stop("immediate", { keepData: true });
      disk!.unmount();
    }
  }, 120_000);
});
