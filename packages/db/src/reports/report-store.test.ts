import { randomUUID } from "node:crypto";
import { FencedOutError, StoreMismatchError, StoreUnavailableError } from "@reports/core/base";
import {
  type NewReport,
  type ReportCompletion,
  type ReportFile,
  type ReportLists,
  unlimitedStarts,
} from "@reports/core/report";
import {
  createTestDatabases,
  makeNewReport,
  otherOwnerPrincipals,
  unrestrictedClaimTerms,
  isFullTestRun,
} from "@reports/testing";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { createListConnectionPool } from "../database/list-connection-pool.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { readLaneLoads } from "../queue/queue.ts";
import { createReportLists } from "./report-list.ts";
import { createReportStore } from "./report-store.ts";
import { createStoreIdRepository } from "./store-id-record.ts";

const proxies = { reportTypes: ["PROXY"], requestedBy: null };
const nothing = { items: [], next: null, total: 0 };

const migrate = (databaseUrl: string) => migrateDatabase({ databaseUrl });
const { cloneDatabase } = createTestDatabases({ migrate });
const alone = createTestDatabases({ migrate, otherOwners: false });

async function openStore({ otherOwners: others = true, ...options }: { max?: number; otherOwners?: boolean } = {}) {
  const clone = await (others ? cloneDatabase() : alone.cloneDatabase());
  const database = createDatabase({ url: clone.url, ...options });
  const lists = createListConnectionPool({ url: clone.url, deadlineMs: 30_000 });
  return {
    database,
    store: createReportStore(database),
    list: async (query: Parameters<ReportLists["list"]>[0]) =>
      createReportLists(lists).list(query, new AbortController().signal),
    async [Symbol.asyncDispose]() {
      await database.close();
      await lists.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

function reportOfAlice(changes: Partial<NewReport> = {}): NewReport {
  return makeNewReport({
    title: "Proxies – “all” 🚦",
    searchParam: { health: ["DOWN"], q: "a'b\\c" },
    requestedBy: "basic:alice",
    requesterName: "Alice O’Example",
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    ...changes,
  });
}

const file: ReportFile = {
  id: "018f0000-0000-7000-8000-000000000001",
  fileName: "proxies.csv",
  extension: "csv",
  contentType: "text/csv",
  sizeBytes: 3_000_000_000,
  sha256: "a".repeat(64),
  columns: ["name", 'with "quote", comma'],
  storageKey: "reports/x/1-a.csv",
  storedVersion: "1",
};
const completion: ReportCompletion = {
  file,
  rowCount: 5,
  dataAsOf: new Date(1_700_000_000_123),
  warnings: [{ code: "TEXTS_SHORTENED", message: "w" }],
  retentionMs: 60_000,
};
const lease = { workerId: "w1", leaseMs: 25_000, ...unrestrictedClaimTerms };
const lapsed = { workerId: "w1", leaseMs: -1, ...unrestrictedClaimTerms };

const countRows = (database: Database) =>
  database.query(async (queries) => {
    const own = sql`select id from reports where requested_by <> all (${sql.param([...otherOwnerPrincipals])}::text[])`;
    const [row] = await queries.execute(sql`
      select (select count(*) from (${own}) as own)::int as reports,
        (select count(*) from report_events where report_id in (${own}))::int as events,
        (select count(*) from report_queue.jobs)::int as jobs`);
    return row;
  });

const countRowsRead = async (queries: Queries): Promise<number> => {
  const [row] = await queries.execute(
    sql`select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_all_tables where relname in ('reports', '_private_jobs')`,
  );
  return row!["read"] as number;
};

const statesOf = async (store: ReturnType<typeof createReportStore>, id: string) =>
  (await store.listEvents(id)).map(({ from, to, attempt }) => `${from} ${to} ${attempt}`);

test("a start stores the report, its first event, and one job with the report's ID", async () => {
  await using opened = await openStore();
  const report = reportOfAlice();
  const { report: created, reused } = await opened.store.createQueued(report, unlimitedStarts);
  expect(reused).toBe(false);
  expect(created).toMatchObject({
    id: report.id,
    status: "QUEUED",
    attempt: 0,
    failures: 0,
    revision: 1,
    file: null,
    error: null,
    deletedAt: null,
    searchParam: report.searchParam,
    options: report.options,
    title: report.title,
    requesterName: report.requesterName,
    progress: { phase: "waiting", rowsDone: 0, rowsTotal: null, percent: null },
  });
  expect(await opened.store.find(report.id)).toEqual(created);
  expect(await statesOf(opened.store, report.id)).toEqual(["null QUEUED 0"]);
  const [job] = await opened.database.query((queries) =>
    queries.execute(
      sql`select task_identifier, payload from report_queue_quick._private_jobs j join report_queue_quick._private_tasks t on t.id = j.task_id cross join lateral (select t.identifier as task_identifier) i`,
    ),
  );
  expect(job).toEqual({
    task_identifier: "run_report",
    payload: { reportId: report.id, traceparent: report.traceparent },
  });
});

test("a start leaves no record, event or job if the job cannot be added", async () => {
  await using opened = await openStore();
  await opened.database.query((queries) =>
    queries.execute(
      sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no jobs today''; end'`,
    ),
  );
  await opened.database.query((queries) =>
    queries.execute(
      sql`create trigger refuse before insert on report_queue_quick._private_jobs for each row execute function refuse()`,
    ),
  );
  await expect(opened.store.createQueued(reportOfAlice(), unlimitedStarts)).rejects.toThrow();
  expect(await countRows(opened.database)).toEqual({ reports: 0, events: 0, jobs: 0 });
});

test("a start in a transaction that rolls back leaves no record and no job", async () => {
  await using opened = await openStore();
  const { createQueued } = createReportStore({
    ...opened.database,
    transaction: (work) =>
      opened.database.transaction(async (tx) => {
        await work(tx);
        throw new Error("power cut before the commit");
      }),
  });
  await expect(createQueued(reportOfAlice(), { perMinute: 20, unfinished: 5 })).rejects.toThrow("power cut");
  expect(await countRows(opened.database)).toEqual({ reports: 0, events: 0, jobs: 0 });
});

test("20 concurrent starts with the same coalesce key create one report", async () => {
  await using opened = await openStore();
  const starts = await Promise.all(
    Array.from({ length: 20 }, () => opened.store.createQueued(reportOfAlice({ coalesceKey: "k" }), unlimitedStarts)),
  );
  expect(new Set(starts.map(({ report }) => report.id)).size).toBe(1);
  expect(starts.filter(({ reused }) => !reused)).toHaveLength(1);
  expect(await countRows(opened.database)).toEqual({ reports: 1, events: 1, jobs: 1 });
});

test("a start reads less than 1,010 rows while its caller has 4,000 queued reports", async () => {
  await using opened = await openStore({ max: 1 });
  await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
  await opened.database.query((queries) =>
    queries.execute(sql`
      insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures)
      select gen_random_uuid(), report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures
      from generate_series(1, 4000) cross join reports where requested_by = 'basic:alice'`),
  );
  await opened.database.query((queries) =>
    queries.execute(sql`
      select report_queue_quick.add_jobs(array_agg(('run_report', '{}', null, null, null, id::text, null, null)::report_queue_quick.job_spec))
      from reports where requested_by = 'basic:alice'`),
  );
  const rowsRead: number[] = [];
  const inOneTransaction: Database["query"] = (work) =>
    opened.database.transaction(async (tx) => {
      const before = await countRowsRead(tx);
      const outcome = await work(tx);
      rowsRead.push((await countRowsRead(tx)) - before);
      return outcome;
    });
  const counting = createReportStore({ ...opened.database, query: inOneTransaction, transaction: inOneTransaction });
  await counting.createQueued(reportOfAlice(), unlimitedStarts);
  await counting.createQueued(reportOfAlice(), { perMinute: 20, unfinished: 0 });
  expect(rowsRead).toHaveLength(2);
  // For the job's priority, a start counts at most 1,000 earlier reports of the caller. It also reads the new row, for the job and a foreign key.
  for (const count of rowsRead) expect(count).toBeLessThan(1_010);
  await expect(counting.createQueued(reportOfAlice(), { perMinute: 0, unfinished: 100 })).rejects.toThrow(
    "100 unfinished reports",
  );
});

test("a coalesce key is free again once its report has ended", async () => {
  await using opened = await openStore();
  const first = await opened.store.createQueued(reportOfAlice({ coalesceKey: "k" }), unlimitedStarts);
  await opened.store.cancel(first.report.id, "basic:alice");
  const second = await opened.store.createQueued(reportOfAlice({ coalesceKey: "k" }), unlimitedStarts);
  expect(second.reused).toBe(false);
});

test("exactly one of several concurrent claims gets the report", async () => {
  await using opened = await openStore();
  const { report } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
  const claims = await Promise.all(Array.from({ length: 10 }, () => opened.store.claim(report.id, lease)));
  expect(claims.map(({ kind }) => kind).sort()).toEqual(["claimed", ...Array.from({ length: 9 }, () => "held")]);
  expect(await opened.store.find(report.id)).toMatchObject({
    status: "RUNNING",
    attempt: 1,
    startedAt: expect.any(Date),
  });
});

test("after its lease expires, a report is claimed again and the old attempt is fenced", async () => {
  await using opened = await openStore();
  const { report } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
  await opened.store.claim(report.id, lapsed);
  await opened.store.heartbeat(report.id, 1, {
    leaseMs: -1,
    progress: { phase: "rendering", rowsDone: 7, rowsTotal: 9, percent: 77 },
  });
  expect(await opened.store.claim(report.id, lease)).toMatchObject({
    kind: "claimed",
    report: { attempt: 2, progress: { phase: "waiting", rowsDone: 0, rowsTotal: null, percent: null } },
    past: { lane: "quick", losses: 1, failures: 0, maxFailures: 3 },
  });
  expect(await statesOf(opened.store, report.id)).toEqual([
    "null QUEUED 0",
    "QUEUED RUNNING 1",
    "RUNNING QUEUED 1",
    "QUEUED RUNNING 2",
  ]);
  expect(await opened.store.heartbeat(report.id, 1, { leaseMs: 1000 })).toBe(false);
  await expect(opened.store.complete(report.id, 1, completion)).rejects.toThrow(FencedOutError);
  const failure = { code: "INTERNAL", detail: "d", retryable: true, spendsFailure: true } as const;
  await expect(opened.store.fail(report.id, 1, failure)).rejects.toThrow(FencedOutError);
  await expect(opened.store.requeue(report.id, 1, { delayMs: 0, spendsFailure: true, lane: "quick" })).rejects.toThrow(
    FencedOutError,
  );
  expect(await opened.store.find(report.id)).toMatchObject({ status: "RUNNING", attempt: 2, failures: 0 });
  expect(await countRows(opened.database)).toMatchObject({ jobs: 1 });
});

test("a completed report has a file, row counts and an expiry, and can't end again", async () => {
  await using opened = await openStore();
  const { report } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
  await opened.store.claim(report.id, lease);
  const done = await opened.store.complete(report.id, 1, completion);
  expect(done).toMatchObject({
    status: "SUCCEEDED",
    file,
    rowCount: 5,
    warnings: [{ code: "TEXTS_SHORTENED", message: "w" }],
    dataAsOf: completion.dataAsOf,
    error: null,
    progress: { phase: "done", rowsDone: 5, rowsTotal: 5, percent: 100 },
  });
  expect(done.expiresAt!.getTime() - done.finishedAt!.getTime()).toBeGreaterThanOrEqual(59_000);
  await expect(opened.store.complete(report.id, 1, completion)).rejects.toThrow(FencedOutError);
  expect(await opened.store.claim(report.id, lease)).toEqual({ kind: "closed" });
  expect(await opened.store.cancel(report.id, "basic:alice")).toBeNull();
});

test("a report completes only if its file is in the store whose ID is in the database", async () => {
  await using opened = await openStore();
  const { report } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
  await opened.store.claim(report.id, lease);
  const [storeId, anotherId] = [randomUUID(), randomUUID()];
  const complete = async (id: string) => opened.store.complete(report.id, 1, { ...completion, storeId: id });
  await expect(complete(storeId)).rejects.toThrow(StoreMismatchError);
  await createStoreIdRepository(opened.database).propose(storeId);
  await expect(complete(anotherId)).rejects.toThrow(StoreMismatchError);
  expect(await opened.store.find(report.id)).toMatchObject({ status: "RUNNING", attempt: 1, file: null });
  expect(await statesOf(opened.store, report.id)).toEqual(["null QUEUED 0", "QUEUED RUNNING 1"]);
  expect(await complete(storeId)).toMatchObject({ status: "SUCCEEDED" });
  await expect(complete(storeId)).rejects.toThrow(FencedOutError);
});

test("a warning with a missing or unknown code is read with the code OTHER", async () => {
  await using opened = await openStore();
  const { report } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
  await opened.store.claim(report.id, lease);
  await opened.store.complete(report.id, 1, completion);
  for (const codes of ["{}", "{NOT_KNOWN_YET}"]) {
    await opened.database.query(async (queries) =>
      queries.execute(sql`update reports set warning_codes = ${codes}::text[] where id = ${report.id}`),
    );
    expect((await opened.store.find(report.id))!.warnings).toEqual([{ code: "OTHER", message: "w" }]);
  }
});

test("fail stores the error, and increments `failures` only with spendsFailure", async () => {
  await using opened = await openStore();
  for (const spendsFailure of [true, false]) {
    const { report } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
    await opened.store.claim(report.id, lease);
    const failed = await opened.store.fail(report.id, 1, {
      code: "INVALID_DATA",
      detail: "why",
      retryable: false,
      spendsFailure,
    });
    expect(failed).toMatchObject({
      status: "FAILED",
      failures: spendsFailure ? 1 : 0,
      error: { code: "INVALID_DATA", detail: "why", retryable: false },
      file: null,
      finishedAt: expect.any(Date),
    });
  }
});

test("requeue returns the report to QUEUED with a job that is due after the delay", async () => {
  await using opened = await openStore();
  const { report } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
  await opened.database.query((queries) =>
    queries.execute(
      sql`update report_queue_quick._private_jobs set locked_at = now(), locked_by = 'pool', attempts = 1`,
    ),
  );
  await opened.store.claim(report.id, lease);
  expect(
    await opened.store.requeue(report.id, 1, { delayMs: 60_000, spendsFailure: false, lane: "quick" }),
  ).toMatchObject({
    status: "QUEUED",
    attempt: 1,
    failures: 0,
  });
  expect((await opened.database.query((queries) => readLaneLoads(queries)))[0]).toMatchObject({
    waiting: 0,
    running: 1,
  });
  expect(await countRows(opened.database)).toMatchObject({ jobs: 2 });
});

test("an attempt's progress never decreases, and each change increments the revision", async () => {
  await using opened = await openStore();
  const { report } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
  await opened.store.claim(report.id, lease);
  const beat = (rowsDone: number, percent: number) =>
    opened.store.heartbeat(report.id, 1, {
      leaseMs: 1000,
      progress: { phase: "rendering", rowsDone, rowsTotal: 100, percent },
    });
  expect([await beat(50, 50), await beat(40, 40)]).toEqual([true, true]);
  expect(await opened.store.find(report.id)).toMatchObject({ progress: { rowsDone: 50, percent: 50 }, revision: 4 });
  await opened.store.heartbeat(report.id, 1, { leaseMs: 1000 });
  expect(await opened.store.find(report.id)).toMatchObject({ revision: 4 });
});

test("exactly one of a concurrent cancellation and completion succeeds", async () => {
  await using opened = await openStore();
  for (let round = 0; round < 10; round++) {
    const { report } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
    await opened.store.claim(report.id, lease);
    const [cancelled, completed] = await Promise.all([
      opened.store.cancel(report.id, "basic:alice"),
      opened.store
        .complete(report.id, 1, { ...completion, file: { ...file, storageKey: `reports/${report.id}/1-a.csv` } })
        .catch((error: unknown) => error),
    ]);
    expect(cancelled === null).toBe(!(completed instanceof FencedOutError));
    const { status, file: found } = (await opened.store.find(report.id))!;
    expect([status, found === null]).toEqual(cancelled === null ? ["SUCCEEDED", false] : ["CANCELLED", true]);
  }
});

test("pages of reports contain each report once, even with equal or null sort values", async () => {
  await using opened = await openStore({ otherOwners: false });
  const ids: string[] = [];
  for (let index = 0; index < 11; index++) {
    const { report } = await opened.store.createQueued(reportOfAlice({ title: `t${index % 3}` }), unlimitedStarts);
    ids.push(report.id);
    if (index % 2 === 0) await opened.store.claim(report.id, lease);
  }
  for (const key of isFullTestRun ? ["createdAt", "title", "startedAt", "status"] : ["title", "startedAt"]) {
    for (const descending of [true, false]) {
      const seen: string[] = [];
      let after = null;
      do {
        const page = await opened.list({
          filters: {},
          sort: [{ key, descending }],
          limit: 2,
          after,
          count: true,
          visible: proxies,
        });
        expect(page.total).toBe(11);
        seen.push(...page.items.map(({ id }) => id));
        after = page.next;
      } while (after !== null);
      expect(seen.toSorted()).toEqual(ids.toSorted());
    }
  }
});

test("a list shows only the caller's types, newest first, and filters by state", async () => {
  await using opened = await openStore({ otherOwners: false });
  const { report: first } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
  const { report: second } = await opened.store.createQueued(reportOfAlice(), unlimitedStarts);
  await opened.store.createQueued(reportOfAlice({ reportType: "PROXY_DOMAIN" }), unlimitedStarts);
  await opened.store.cancel(first.id, "basic:alice");
  const query = { sort: [{ key: "createdAt", descending: true }], limit: 50, after: null, count: true };
  const all = await opened.list({ ...query, filters: {}, visible: proxies });
  expect(all.items.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
  const cancelled = await opened.list({ ...query, filters: { status: ["CANCELLED"] }, visible: proxies });
  expect(cancelled.items.map(({ id }) => id)).toEqual([first.id]);
  expect(await opened.list({ ...query, filters: {}, visible: { ...proxies, reportTypes: [] } })).toEqual(nothing);
});

test("a list limited to one requester shows and counts only that requester's reports", async () => {
  await using opened = await openStore();
  const { report: own } = await opened.store.createQueued(
    makeNewReport({ requestedBy: "basic:alice" }),
    unlimitedStarts,
  );
  await opened.store.createQueued(makeNewReport({ requestedBy: "basic:bob" }), unlimitedStarts);
  const visible = { ...proxies, requestedBy: "basic:alice" };
  const query = { sort: [{ key: "createdAt", descending: true }], limit: 50, after: null, count: true, visible };
  for (const filters of [{}, { requestedBy: ["basic:alice", "basic:bob"] }, { status: ["QUEUED"] }]) {
    const page = await opened.list({ ...query, filters });
    expect([page.items.map(({ id }) => id), page.total]).toEqual([[own.id], 1]);
  }
  expect(await opened.list({ ...query, filters: { requestedBy: ["basic:bob"] } })).toEqual(nothing);
});

test("a store call rejects with StoreUnavailableError if Postgres is unreachable", async () => {
  const database = createDatabase({ url: "postgres://nobody@127.0.0.1:1/none" });
  await expect(createReportStore(database).find(randomUUID())).rejects.toThrow(StoreUnavailableError);
  await database.close();
});

test("a store call that exceeds deadlineMs rejects with StoreUnavailableError", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url, deadlineMs: 200 });
  await expect(database.query((queries) => queries.execute(sql`select pg_sleep(30)`))).rejects.toThrow(
    StoreUnavailableError,
  );
  await database.close();
});
