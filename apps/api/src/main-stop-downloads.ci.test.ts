import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { builtInReportTypes, startInputFromBody, startReport, unguardedStarts } from "@reports/core/report";
import { createDatabase, createReportStore } from "@reports/db";
import { newId } from "@reports/runtime";
import { createFileSystemStore } from "@reports/storage";
import { unrestrictedClaimTerms, waitFor } from "@reports/testing";
import { expect, test, vi } from "vitest";
import { setUpApiProcesses, waitForApiOrigin } from "./test/api-process.ts";
import { builtInReportAuthorities, createTestToken } from "./test/api-under-test.ts";

vi.setConfig({ testTimeout: 120_000 });

test("after SIGTERM, the API finishes a download but refuses new connections", async () => {
  await using apis = await setUpApiProcesses();
  const bytes = randomBytes(24 * 1024 * 1024);
  const id = await storeReport(apis, bytes);
  // The download must end within this time, and a busy machine can need more than the default.
  const api = apis.start({ SHUTDOWN_GRACE_SECONDS: "100" });
  const origin = await waitForApiOrigin(api);
  const { port } = new URL(origin);
  const headers = { Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}` };
  // The file is larger than the socket buffers, and nothing reads it yet. So the download is still running when the API gets SIGTERM.
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: `/v1/report/download?reportType=PROXY&id=${id}`, headers }, resolve).on(
      "error",
      reject,
    );
  });
  expect(response.statusCode).toBe(200);
  api.signal("SIGTERM");
  const isRefused = () =>
    fetch(`${origin}/health/live`).then(
      () => false,
      () => true,
    );
  await waitFor(isRefused, { what: "new connections to be refused" });
  const hash = createHash("sha256");
  for await (const chunk of response) hash.update(chunk as Buffer);
  expect(hash.digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect({ code: await api.ended, log: api.log() }).toMatchObject({ code: 0 });
});

async function storeReport(apis: Awaited<ReturnType<typeof setUpApiProcesses>>, bytes: Buffer): Promise<string> {
  await apis.adopt();
  const database = createDatabase({ url: apis.databaseUrl });
  const reports = createReportStore(database);
  const definition = builtInReportTypes.find(({ type }) => type === "PROXY")!;
  const context = { principalId: "test", coalesce: false, traceparent: null, requiredAuthority: null };
  const { report } = await startReport(
    { reports, newId, ...unguardedStarts },
    context,
    startInputFromBody(definition, { format: "csv" }, new Date()),
  );
  await reports.claim(report.id, { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms });
  const path = join(apis.folder, "spool");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const stored = { contentType: "text/csv; charset=utf-8", sizeBytes: bytes.length, sha256 };
  const storageKey = `reports/${report.id}/1.csv`;
  await writeFile(path, bytes);
  const files = createFileSystemStore({ directory: apis.storageDir });
  const { version: storedVersion } = await files.put({ key: storageKey, path, ...stored });
  await reports.complete(report.id, 1, {
    file: {
      id: newId(),
      fileName: "Proxies.csv",
      extension: "csv",
      columns: ["name"],
      storageKey,
      storedVersion,
      ...stored,
    },
    rowCount: 1,
    dataAsOf: new Date(),
    warnings: [],
    retentionMs: 60_000,
  });
  await database.close();
  return report.id;
}
