import { unlimitedStarts, type NewReport } from "@reports/core/report";
import { createDatabase, createReportStore, migrateDatabase } from "@reports/db";
import { createTestDatabases, makeNewReport, unrestrictedClaimTerms } from "@reports/testing";
import { expect, test } from "vitest";
import { createCountingReportStore } from "./count-reports.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

async function openCounted() {
  const clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  const counted: string[] = [];
  const store = createCountingReportStore(createReportStore(database), {
    created: () => counted.push("created"),
    finished: (_, outcome) => counted.push(outcome),
  });
  const start = async (changes: Partial<NewReport> = {}) =>
    (await store.createQueued(makeNewReport({ requestedBy: "basic:alice", ...changes }), unlimitedStarts)).report;
  const succeed = async () => {
    const { id } = await start();
    await store.claim(id, { workerId: "w1", leaseMs: 25_000, ...unrestrictedClaimTerms });
    const bytes = { sizeBytes: 3, sha256: "b".repeat(64), storedVersion: "1" };
    const names = { fileName: "proxies.csv", extension: "csv", contentType: "text/csv", columns: ["name"] };
    return store.complete(id, 1, {
      file: { ...bytes, ...names, id: crypto.randomUUID(), storageKey: `reports/${id}/1-a.csv` },
      rowCount: 5,
      dataAsOf: new Date(),
      warnings: [],
      retentionMs: 60_000,
      keptRows: {
        id: crypto.randomUUID(),
        file: { ...bytes, storageKey: `reports/${id}/1-b.rows.zst` },
        dataSha256: "d".repeat(64),
      },
    });
  };
  return {
    store,
    counted,
    start,
    succeed,
    async [Symbol.asyncDispose]() {
      await database.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

test("deleting an unfinished report twice adds one cancelled report to the metrics", async () => {
  await using opened = await openCounted();
  const { id } = await opened.start();
  for (let time = 0; time < 2; time += 1) await opened.store.remove(id, "basic:alice");
  expect(opened.counted).toEqual(["created", "CANCELLED"]);
});

test("metrics count unfinished additional formats of a deleted report as cancelled", async () => {
  await using opened = await openCounted();
  const { id } = await opened.succeed();
  const files = await Promise.all([1, 2, 3].map(async () => opened.start({ fileOf: id })));
  await opened.store.remove(files[0]!.id, "basic:alice");
  opened.counted.length = 0;
  await opened.store.remove(id, "basic:alice");
  expect(opened.counted).toEqual(["CANCELLED", "CANCELLED"]);
});
