import { FencedOutError, StoreMismatchError, StoreUnavailableError } from "@reports/core/base";
import { unlimitedStarts, type Report, type ReportCompletion } from "@reports/core/report";
import {
  unrestrictedClaimTerms,
  createFaultProxy,
  createTestDatabases,
  makeNewReport,
  waitForBlockedSession,
} from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createAttemptDatabase, createAttemptStore } from "./attempt-store.ts";
import { createReportStore } from "./report-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const terms = { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms };

async function openAttempts(running = 3) {
  const clone = await cloneDatabase();
  const proxied = new URL(clone.url);
  const proxy = await createFaultProxy({ upstream: { host: proxied.hostname, port: Number(proxied.port) } });
  proxied.port = String(proxy.port);
  const [database, attemptDatabase] = [
    createDatabase({ url: clone.url }),
    createAttemptDatabase({ url: proxied.href, max: 4 }),
  ];
  const store = createReportStore(database);
  const changes = { add: () => undefined };
  const attempts = createAttemptStore(attemptDatabase, { actor: "worker:test", changes, running: () => running });
  const sql = postgres(clone.url, { max: 2, onnotice: () => undefined });
  const queue = async (count: number): Promise<readonly Report[]> => {
    const queued = Array.from({ length: count }, async () => store.createQueued(makeNewReport(), unlimitedStarts));
    return (await Promise.all(queued)).map(({ report }) => report);
  };
  return {
    sql,
    proxy,
    store,
    attempts,
    queue,
    claim: async (reports: readonly Report[]) => Promise.all(reports.map(async ({ id }) => attempts.claim(id, terms))),
    complete: async (reports: readonly Report[], changed: Readonly<Record<number, Partial<ReportCompletion>>> = {}) =>
      Promise.allSettled(
        reports.map(async ({ id }, index) => attempts.complete(id, 1, { ...completionOf(id), ...changed[index] })),
      ),
    countTransactions: async (reports: readonly Report[]) => {
      const ids = reports.map(({ id }) => id);
      const [row] = await sql`select count(distinct xmin::text)::integer as found from reports where id = any (${ids})`;
      return row!["found"] as number;
    },
    statusOf: async (reports: readonly Report[]) =>
      Promise.all(reports.map(async ({ id }) => (await store.find(id))!.status)),
    async [Symbol.asyncDispose]() {
      await Promise.all([database.close(), attemptDatabase.close(), sql.end()]);
      await proxy[Symbol.asyncDispose]();
      await clone[Symbol.asyncDispose]();
    },
  };
}

const completionOf = (id: string): ReportCompletion => ({
  file: {
    id,
    fileName: "a.csv",
    extension: "csv",
    contentType: "text/csv",
    sizeBytes: 1,
    sha256: "0".repeat(64),
    columns: ["a", "b"],
    storageKey: `reports/${id}`,
    storedVersion: "1",
  },
  rowCount: 7,
  dataAsOf: new Date("2026-01-02T03:04:05.678Z"),
  warnings: [{ code: "OTHER", message: "An odd “value”, cut at \uD83D." }],
  retentionMs: 60_000,
});

test("concurrent claims share one transaction and so do completions, each with events", async () => {
  await using opened = await openAttempts();
  const reports = await opened.queue(3);
  const claims = await opened.claim(reports);
  expect(claims).toMatchObject(reports.map(({ id }) => ({ kind: "claimed", report: { id, attempt: 1 } })));
  expect(await opened.countTransactions(reports)).toBe(1);
  const ended = await opened.complete(reports);
  expect(await opened.countTransactions(reports)).toBe(1);
  for (const [index, { id }] of reports.entries()) {
    const { storedVersion: _, ...file } = completionOf(id).file;
    expect(ended[index]).toMatchObject({ status: "fulfilled", value: { id, status: "SUCCEEDED", file } });
    const found = await opened.store.find(id);
    expect(found).toMatchObject({ rowCount: 7, dataAsOf: completionOf(id).dataAsOf, progress: { rowsDone: 7 } });
    expect(found!.warnings).toEqual([{ code: "OTHER", message: "An odd “value”, cut at \uFFFD." }]);
    const steps = (await opened.store.listEvents(id)).map(({ from, to, actor }) => [from, to, actor]);
    expect(steps.slice(1)).toEqual([
      ["QUEUED", "RUNNING", "worker:test"],
      ["RUNNING", "SUCCEEDED", "worker:test"],
    ]);
  }
});

test("a completion does not wait for others if no other report is running", async () => {
  await using opened = await openAttempts(1);
  const reports = await opened.queue(1);
  await opened.claim(reports);
  expect(await opened.complete(reports)).toMatchObject([{ status: "fulfilled" }]);
});

test("each claim of a batch gets its own outcome: claimed, refused, held or closed", async () => {
  await using opened = await openAttempts();
  const reports = await opened.queue(4);
  const [served, refused, held, cancelled] = reports as readonly [Report, Report, Report, Report];
  await opened.attempts.claim(held.id, terms);
  await opened.store.cancel(cancelled.id, "basic:alice");
  const refusal = { because: "TYPE_UNKNOWN", message: "It does not.", servedFromVersion: 1 } as const;
  const outcomes = await Promise.all(
    reports.map(async ({ id }) =>
      opened.attempts.claim(id, {
        ...terms,
        refusalOf: (report) => (report.id === refused.id ? refusal : null),
        delayOf: () => 1,
      }),
    ),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(["claimed", "handed-back", "held", "closed"]);
  expect(await opened.statusOf([served, refused, held, cancelled])).toEqual([
    "RUNNING",
    "QUEUED",
    "RUNNING",
    "CANCELLED",
  ]);
});

test("two claims of the same report in one batch start only one attempt", async () => {
  await using opened = await openAttempts();
  const [report] = await opened.queue(1);
  const claims = await opened.claim([report!, report!]);
  expect(claims.map(({ kind }) => kind).toSorted()).toEqual(["claimed", "held"]);
  expect(await opened.store.find(report!.id)).toMatchObject({ status: "RUNNING", attempt: 1 });
});

test("a locked report delays only its own claim and completion, not those of others", async () => {
  await using opened = await openAttempts();
  const reports = await opened.queue(3);
  const [first, locked, last] = reports as readonly [Report, Report, Report];
  const whileLocked = async (during: (others: readonly Report[]) => Promise<void>) =>
    opened.sql.begin(async (tx) => {
      await tx`select from reports where id = ${locked.id} for update`;
      await during([first, last]);
      await waitForBlockedSession(tx);
    });
  let claiming: Promise<unknown> | undefined;
  await whileLocked(async (others) => {
    claiming = opened.attempts.claim(locked.id, terms);
    expect(await opened.claim(others)).toMatchObject([{ kind: "claimed" }, { kind: "claimed" }]);
  });
  expect(await claiming).toMatchObject({ kind: "claimed", report: { attempt: 1 } });
  let completing: Promise<unknown> | undefined;
  await whileLocked(async (others) => {
    completing = opened.attempts.complete(locked.id, 1, completionOf(locked.id));
    expect(await opened.complete(others)).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);
  });
  expect(await completing).toMatchObject({ status: "SUCCEEDED" });
});

test("a cancelled or fenced attempt, or one with another store, fails alone in a batch", async () => {
  await using opened = await openAttempts(5);
  const reports = await opened.queue(5);
  const [, cancelled, fenced] = reports as readonly [Report, Report, Report];
  await opened.claim(reports);
  await opened.store.cancel(cancelled.id, "basic:alice");
  await opened.sql`update reports set lease_expires_at = now() - interval '1 minute' where id = ${fenced.id}`;
  expect(await opened.attempts.claim(fenced.id, terms)).toMatchObject({ kind: "claimed", report: { attempt: 2 } });
  const outcomes = await opened.complete(reports, {
    3: { storeId: "00000000-0000-4000-8000-000000000000" },
    4: { warnings: [{ code: "OTHER", message: "\0" }] },
  });
  const reasons = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : null));
  expect(reasons[0]).toBeNull();
  expect(reasons[1]).toBeInstanceOf(FencedOutError);
  expect(reasons[2]).toBeInstanceOf(FencedOutError);
  expect(reasons[3]).toBeInstanceOf(StoreMismatchError);
  expect(reasons[4]).toBeInstanceOf(Error);
  expect(await opened.statusOf(reports)).toEqual(["SUCCEEDED", "CANCELLED", "RUNNING", "RUNNING", "RUNNING"]);
});

test("if a completed record can't be read, its call rejects and it stays SUCCEEDED", async () => {
  await using opened = await openAttempts();
  const reports = await opened.queue(4);
  await opened.claim(reports);
  await opened.sql`update reports set search_param = '[]' where id in (${reports[1]!.id}, ${reports[3]!.id})`;
  const outcomes = await opened.complete(reports.slice(0, 3));
  expect(outcomes).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: expect.any(StoreUnavailableError) },
    { status: "fulfilled" },
  ]);
  const { id: lastId } = reports[3]!;
  await expect(opened.store.complete(lastId, 1, completionOf(lastId))).rejects.toThrow(StoreUnavailableError);
  const ids = reports.map(({ id }) => id);
  const ended = await opened.sql`select from reports where status = 'SUCCEEDED' and id = any (${ids})`;
  expect(ended).toHaveLength(4);
});

test("if a batch has two attempts of a report, only the later one completes it", async () => {
  await using opened = await openAttempts(2);
  const [report] = await opened.queue(1);
  const { id } = report!;
  await opened.claim([report!]);
  await opened.sql`update reports set lease_expires_at = now() - interval '1 minute' where id = ${id}`;
  await opened.claim([report!]);
  const complete = async (attempt: number) => opened.attempts.complete(id, attempt, completionOf(id));
  const outcomes = await Promise.allSettled([complete(1), complete(2)]);
  expect(outcomes).toMatchObject([
    { status: "rejected", reason: expect.any(FencedOutError) },
    { status: "fulfilled", value: { id, attempt: 2 } },
  ]);
});

test("if Postgres is unavailable, all claims of a batch reject and claim nothing", async () => {
  await using opened = await openAttempts();
  const reports = await opened.queue(3);
  await opened.proxy.set({ kind: "refuse" });
  const outcomes = await Promise.allSettled(reports.map(async ({ id }) => opened.attempts.claim(id, terms)));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailableError) });
  expect(await opened.statusOf(reports)).toEqual(["QUEUED", "QUEUED", "QUEUED"]);
});
