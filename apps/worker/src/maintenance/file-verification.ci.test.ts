import { randomBytes } from "node:crypto";
import type { VerifyFilesDeps } from "@reports/core/report";
import { createFileStore } from "@reports/storage";
import { createFaultProxy, startMinio, type FaultProxy } from "@reports/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { declareFileVerificationTests, shareVerification } from "../test/declare-file-verification-tests.ts";

// In CI, a missing MinIO server is an error.
const minio = (await startMinio())!;
const parts = new AsyncDisposableStack();
parts.defer(async () => minio.stop());
let proxy: FaultProxy;
beforeAll(async () => {
  const { hostname, port } = new URL(minio.endpoint);
  proxy = parts.use(await createFaultProxy({ upstream: { host: hostname, port: Number(port) } }));
});
afterEach(async () => proxy.set({ kind: "none" }));
afterAll(async () => parts.disposeAsync());
const openStore = async () =>
  createFileStore({
    ...minio,
    endpoint: `http://${proxy.host}:${proxy.port}`,
    bucket: `verify-${randomBytes(4).toString("hex")}`,
  });

const open = shareVerification(openStore);

declareFileVerificationTests(open);

test("a truncated response of the store does not count as damage", async () => {
  const opened = await open();
  const report = await opened.succeeded();
  await opened.note(report);
  const isRead = ({ method, path }: { method: string; path: string }): boolean =>
    method === "GET" && path.includes(report.id);
  await proxy.set({ kind: "truncate", afterBytes: 3, matches: isRead });
  expect(await opened.verifySuspicious()).toBe(0);
  expect(opened.observed).toEqual(["unreadable"]);
  await proxy.set({ kind: "none" });
  expect(await opened.find(report.id)).toMatchObject({ status: "SUCCEEDED", revision: report.revision });
  expect(await opened.verifySuspicious()).toBe(0);
  expect(await opened.notes()).toBe(0);
});

test("a file whose digest the store has verified is not read", async () => {
  const opened = await open();
  await opened.succeeded();
  const unread: VerifyFilesDeps["files"] = {
    ...opened.files,
    open: async () => Promise.reject(new Error("nothing is to be read")),
  };
  expect(await opened.verify({ files: unread })).toMatchObject({ digests: 1, damaged: 0, unreadable: 0 });
});
