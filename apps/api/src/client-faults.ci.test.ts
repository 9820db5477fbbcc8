import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway, type Report } from "@reports/client";
import { createDatabase, createStoreIdRepository } from "@reports/db";
import { newId } from "@reports/runtime";
import { adoptEmptyStore, createFileSystemStore } from "@reports/storage";
import { createFaultProxy, findFreePort, waitFor, type FaultProxy, type StandProcess } from "@reports/testing";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startApiProcess } from "./test/api-process.ts";
import {
  builtInReportAuthorities,
  startApiUnderTest,
  createTestToken,
  type ApiUnderTest,
} from "./test/api-under-test.ts";
import { testJwtSecret } from "./test/config-under-test.ts";
import { startListenerUnderTest } from "./test/event-stream-reader.ts";

vi.setConfig({ testTimeout: 120_000 });

/** The file is larger than the socket buffers. If the connection breaks, part of the file is therefore still missing. */
const content = randomBytes(32 * 1024 * 1024);

let folder: string;
let port: number;
let proxy: FaultProxy;
/** An API in the test's process, through which the tests complete reports. The API processes under test share its database and file store. */
let records: ApiUnderTest;
let api: StandProcess;
let expiring: ReturnType<typeof waitWithExpiringToken>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "client-faults-"));
  const directory = join(folder, "files");
  // The database has no records of other owners (`otherOwners: false`). They name files, and the store ID is written to an empty store only if no
  // record names a file.
  records = await startApiUnderTest({
    otherOwners: false,
    clocks: { waitReviewMs: 2_000 },
    store: createFileSystemStore({ directory }),
  });
  const database = createDatabase({ url: records.databaseUrl });
  const record = createStoreIdRepository(database);
  await adoptEmptyStore({ store: createFileSystemStore({ directory }), record, newId });
  await database.close();
  expiring = waitWithExpiringToken();
  expiring.catch(() => undefined);
  port = await findFreePort();
  proxy = await createFaultProxy({ upstream: { host: "127.0.0.1", port } });
  api = startApiProcess(
    {
      DATABASE_URL: records.databaseUrl,
      STORAGE_DIR: directory,
      HOST: "127.0.0.1",
      PORT: String(port),
      AUTH_JWT_SECRET: testJwtSecret,
      START_LIMIT_PER_MINUTE: "0",
      UNFINISHED_REPORT_LIMIT: "0",
      LOG_LEVEL: "error",
    },
    { origin: `http://127.0.0.1:${port}`, supervised: { firstDelayMs: 0 } },
  );
  await api.ready();
});

afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await api.kill();
  await records[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function gatewayAt(atPort: number) {
  const requests: string[] = [];
  const gateway = createGateway({
    baseUrl: `http://127.0.0.1:${atPort}`,
    token: async () => createTestToken(builtInReportAuthorities),
    fetch: async (input, init) => {
      requests.push(`${init?.method} ${new URL(input).pathname}`);
      // The client's retries could end before a killed API is ready again. So it learns of a failure only after the API is ready.
      const response = await fetch(input, init).catch(async (error: unknown) => {
        await api.ready();
        throw error;
      });
      if (response.status === 503) await api.ready();
      return response;
    },
  });
  return { gateway, requests };
}

async function finishedReport(): Promise<Report> {
  const { gateway } = gatewayAt(port);
  const { id } = await gateway.reports.start({ reportType: "PROXY", format: "csv" });
  await records.succeed(id, content);
  return gateway.reports.get(id);
}

async function isContent(path: string): Promise<boolean> {
  return (await readFile(path)).equals(content);
}

test("if the API is killed, a client's start makes one report, and its wait continues", async () => {
  const { gateway, requests } = gatewayAt(port);
  const waited = await gateway.reports.start({ reportType: "PROXY" });
  const seen: string[] = [];
  const wait = gateway.reports.wait(waited.id, { onProgress: ({ status }) => seen.push(status) });
  await waitFor(() => seen.length > 0, { what: "the wait" });
  const titles = Array.from({ length: 12 }, (_, n) => `Report ${n}`);
  const start = async (title: string) => gateway.reports.start({ reportType: "PROXY_DOMAIN", title });
  const starts = titles.slice(1).map(start);
  await Promise.race(starts);
  api.signal("SIGKILL");
  // The other starts may have ended before the kill. So one more start is sent after the kill.
  const started = await Promise.all([...starts, start(titles[0]!)]);
  expect(requests.filter((one) => one === "POST /v1/reports").length).toBeGreaterThan(13);
  const listed: string[] = [];
  for await (const { id } of gateway.reports.list({ reportType: "PROXY_DOMAIN" })) listed.push(id);
  expect(listed.toSorted()).toEqual(started.map(({ id }) => id).toSorted());
  expect(new Set(started.map(({ title }) => title))).toEqual(new Set(titles));

  await api.ready();
  await records.succeed(waited.id, "name\n");
  expect((await wait).status).toBe("SUCCEEDED");
});

test("the client resumes a download after the API is killed, and the file is correct", async () => {
  const report = await finishedReport();
  const path = join(folder, "killed.csv");
  const { gateway, requests } = gatewayAt(port);
  let kills = 0;
  await gateway.reports.download(report, path, {
    onProgress: ({ bytesDone }) => {
      if (kills === 0 && bytesDone > 0) {
        kills++;
        api.signal("SIGKILL");
      }
    },
  });
  expect(await isContent(path)).toBe(true);
  expect(requests.length).toBeGreaterThan(1);
});

test("the client resumes a download after 20 interruptions, and the file is correct", async () => {
  const report = await finishedReport();
  const path = join(folder, "cut.csv");
  const { gateway, requests } = gatewayAt(proxy.port);
  await proxy.set({ kind: "reset", direction: "to-client", afterBytes: 1_234_567 });
  const progress: number[] = [];
  const download = gateway.reports.download(report, path, { onProgress: ({ bytesDone }) => progress.push(bytesDone) });
  await waitFor(() => requests.length > 20, { what: "twenty cuts", timeoutMs: 60_000 });
  await proxy.set({ kind: "none" });
  await download;
  expect(await isContent(path)).toBe(true);
  // Progress never decreases, so received bytes were not requested again.
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
});

test("a client that waits for a report replaces an expired token", async () => {
  const { report, answersSinceExpiry } = await expiring;
  expect(report.status).toBe("SUCCEEDED");
  expect(answersSinceExpiry.filter((one) => one === "POST /v1/tokens 201")).toHaveLength(1);
});

async function waitWithExpiringToken() {
  await using server = await startListenerUnderTest(records.listener);
  await records.addUser("dora", "correct horse", builtInReportAuthorities);
  const createShortToken = async () => {
    const now = Math.floor(Date.now() / 1000);
    return (
      new SignJWT({ authorities: builtInReportAuthorities })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject("basic:dora")
        .setIssuedAt(now - 60)
        // The API tolerates a clock difference of 30 seconds, so this token stays valid for 8 seconds.
        .setExpirationTime(now - 22)
        .sign(new TextEncoder().encode(testJwtSecret))
    );
  };
  const answers: string[] = [];
  let refusal = "the refusal of a waiting request";
  const isRefused = () => answers.includes(refusal);
  const gateway = createGateway({
    baseUrl: `http://127.0.0.1:${server.port}`,
    credentials: { name: "dora", password: "correct horse" },
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const path = new URL(input).pathname;
      answers.push(`${init?.method} ${path} ${answer.status}`);
      // If the machine is busy, a token can expire before the client uses it to wait. The client then gets another short token.
      if (path !== "/v1/tokens" || isRefused()) return answer;
      const token = { access_token: await createShortToken(), token_type: "Bearer", expires_in: 900 };
      return Response.json(token, { status: 201 });
    },
  });
  const { id } = await gateway.reports.start({ reportType: "PROXY" });
  refusal = `GET /v1/reports/${id} 401`;
  const wait = gateway.reports.wait(id);
  await waitFor(isRefused, { what: "the refusal", timeoutMs: 100_000 });
  await records.succeed(id, "name\n");
  return { report: await wait, answersSinceExpiry: answers.slice(answers.indexOf(refusal)) };
}
