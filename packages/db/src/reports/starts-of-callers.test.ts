import { StoreUnavailableError } from "@reports/core/base";
import { unlimitedStarts, type OnceClaim, type StartLimits } from "@reports/core/report";
import { otherOwnerPrincipals, waitFor, isFullTestRun } from "@reports/testing";
import { expect, test } from "vitest";
import { openStores } from "./starts-of-callers.fixture.ts";

const others = [...otherOwnerPrincipals];

const claim = (principalId: string, key: string, asked = "the same"): OnceClaim => ({
  principalId,
  endpoint: "startReport",
  key,
  fingerprint: asked,
  answerOf: ({ id }) => `answer ${id}`,
});

const repeat = (count: number, caller: string) => Array.from({ length: count }, () => caller);
const reasonsOf = (settled: readonly PromiseSettledResult<unknown>[]): readonly unknown[] =>
  settled.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));

test("starts of three callers commit in one transaction with their stored responses", async () => {
  await using opened = await openStores();
  const callers = ["alice", "bob", "carol"].flatMap((caller) => repeat(3, caller));
  const started = await Promise.all(
    callers.map(async (caller, index) => opened.start(caller, {}, { once: claim(caller, `key ${index % 3}`) })),
  );
  expect(await opened.readBatches()).toEqual([callers]);
  const quotas = started.map((each) => each.quotas!.map(({ remaining }) => remaining));
  expect(quotas).toEqual(callers.map((_, index) => [19 - (index % 3), 19 - (index % 3)]));
  const [seen] = await opened.sql`
    select count(*)::int as reports, count(distinct reports.xmin::text)::int as transactions,
      bool_and(answer = 'answer ' || reports.id and kept.xmin = reports.xmin) as answered,
      array_agg(jobs.priority::int order by requested_by, jobs.priority) as priorities
    from reports join idempotency_keys as kept on report_id = reports.id
    join report_queue.jobs as jobs on jobs.key = 'report:' || reports.id
    join report_events on report_events.report_id = reports.id and actor = requested_by`;
  expect(seen).toEqual({ reports: 9, transactions: 1, answered: true, priorities: [0, 1, 2, 0, 1, 2, 0, 1, 2] });
});

const limitsOfCallers: readonly StartLimits[] = [
  { perMinute: 7, unfinished: 0 },
  { perMinute: 107, unfinished: 7 },
  { perMinute: 0, unfinished: 7 },
];
// In every run, limit-store.test.ts tests the limits of one caller alone.
test.for(isFullTestRun ? limitsOfCallers : limitsOfCallers.slice(1, 2))(
  "concurrent starts at two APIs never exceed a caller's limits: %o",
  async (limits) => {
    await using opened = await openStores();
    const callers = Array.from({ length: 60 }, (_, index) => `caller ${index % 5}`);
    const settled = await Promise.allSettled(
      callers.map(async (caller, index) => opened.start(caller, {}, { limits, instance: index % 2 })),
    );
    const reasons = reasonsOf(settled);
    expect(reasons).toHaveLength(25);
    for (const reason of reasons) expect(reason).toMatchObject({ name: "RateLimitedError" });
    const rows = await opened.sql`
    select requested_by, count(*)::int as reports from reports where requested_by <> all (${others}) group by 1 order by 1`;
    expect(rows.map((row) => row["reports"])).toEqual([7, 7, 7, 7, 7]);
  },
);

test("refused starts leave the other callers' starts in one shared transaction", async () => {
  await using opened = await openStores();
  await opened.start("alice", {}, { limits: { perMinute: 1, unfinished: 0 } });
  await opened.start("bob", {}, { once: claim("bob", "used", "something else") });
  const duplicate = await opened.start("carol", { coalesceKey: "open" });
  const settled = await Promise.allSettled([
    opened.start("alice", {}, { limits: { perMinute: 1, unfinished: 0 } }),
    opened.start("bob", {}, { once: claim("bob", "used") }),
    opened.start("carol", { coalesceKey: "open" }),
    ...["dave", "erin", "frank"].map(async (caller) => opened.start(caller)),
  ]);
  expect(reasonsOf(settled)).toMatchObject([{ code: "too-many-starts" }, { code: "idempotency-key-reused" }]);
  expect(settled[2]).toMatchObject({ value: { reused: true, report: { id: duplicate.report.id } } });
  expect((await opened.readBatches()).at(-1)).toEqual(["dave", "erin", "frank"]);
});

test("a start that Postgres refuses fails alone, and its batch's other starts succeed", async () => {
  await using opened = await openStores();
  const settled = await Promise.allSettled([
    opened.start("alice", { title: "no text: \0" }),
    ...["bob", "bob", "carol"].map(async (caller) => opened.start(caller)),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect((await opened.readBatches()).map((callers) => callers.join())).toEqual(
    expect.arrayContaining(["bob,bob", "carol"]),
  );
});

test("a lock on one caller's limit delays no other caller's starts", async () => {
  await using opened = await openStores();
  await opened.start("alice");
  const waiting = await opened.sql.begin(async (tx) => {
    await tx`update rate_windows set expires_at = expires_at where key = 'starts:alice'`;
    const begun = opened.start("alice");
    const together = [opened.start("bob"), opened.start("carol")];
    await expect(Promise.all(together)).resolves.toHaveLength(2);
    // The outer transaction still locks alice's limit, so this start waits. The starts of other callers return before that transaction ends.
    const later = opened.start("alice");
    await expect(Promise.all([opened.start("dave"), opened.start("erin")])).resolves.toHaveLength(2);
    return { begun: [begun, later] };
  });
  await expect(Promise.all(waiting.begun)).resolves.toHaveLength(2);
  expect(await opened.readBatches()).toContainEqual(["dave", "erin"]);
});

test("a batch locks its callers' limits in the order of their keys", async () => {
  await using opened = await openStores();
  const [first, second] = ["a caller with a long name", "b"];
  for (const caller of [first, second]) await opened.start(caller);
  const begun = await opened.sql.begin(async (tx) => {
    await tx`update rate_windows set expires_at = expires_at where key = ${`starts:${first}`}`;
    const starts = [opened.start(second), opened.start(first)];
    const [own] = await tx`select pg_backend_pid() as pid`;
    // Only the waiting session counts. After 250 ms it is the single start of the first caller, and that of the second locks its own limit.
    const waiting = await waitFor(
      async () => {
        const rows = await opened.sql`
          select exists (select from rate_windows where key = ${`starts:${second}`} and xmax::text = backend_xid::text) as holds_second
          from pg_stat_activity where ${own!["pid"] as number} = any (pg_blocking_pids(pid))`;
        return rows.length > 0 && [...rows];
      },
      { what: "a start to wait for the transaction of the test" },
    );
    expect(waiting).toEqual([{ holds_second: false }]);
    return { starts };
  });
  await expect(Promise.all(begun.starts)).resolves.toHaveLength(2);
});

test("a caller with 250 starts leaves space for other callers in a batch of 100", async () => {
  await using opened = await openStores();
  const flood = repeat(250, "alice").map(async (caller) => opened.start(caller, {}, { limits: unlimitedStarts }));
  await Promise.all([...flood, opened.start("bob"), opened.start("carol")]);
  const batches = await opened.readBatches();
  expect(batches).toContainEqual([...repeat(98, "alice"), "bob", "carol"]);
  expect(batches.every((callers) => callers.length <= 100)).toBe(true);
});

test("if a batch loses its connection, it writes nothing and each start rejects", async () => {
  await using opened = await openStores();
  await opened.start("alice");
  // The batch sleeps and does not wait for a lock. Such a wait would end after 250 ms, and the starts would then be written alone.
  await opened.sql`create function sleep() returns trigger language plpgsql as
    $$ begin perform pg_sleep(600); return null; end $$`;
  await opened.sql`create trigger sleep before insert on reports execute function sleep()`;
  const begun = Promise.allSettled(["bob", "alice"].map(async (caller) => opened.start(caller)));
  const terminate = async () =>
    opened.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`;
  await waitFor(async () => (await terminate()).length > 0, { what: "the batch to insert its reports" });
  const reasons = reasonsOf(await begun);
  expect(reasons).toHaveLength(2);
  for (const reason of reasons) expect(reason).toBeInstanceOf(StoreUnavailableError);
  expect(await opened.readBatches()).toEqual([["alice"]]);
});

test("if the connection is lost during COMMIT, the batch's starts succeed exactly once", async () => {
  await using opened = await openStores();
  const { sql } = opened;
  await sql`create function wait_until_let_go() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(1); return null; end $$`;
  await sql`create constraint trigger wait_until_let_go after insert on reports
    deferrable initially deferred for each row execute function wait_until_let_go()`;
  const { begun } = await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(1)`;
    const begun = Promise.all(["alice", "bob"].map(async (caller) => opened.start(caller)));
    const isCommitting = async () =>
      (
        await sql`select from pg_stat_activity where query = 'commit' and state = 'active' and datname = current_database()`
      ).length > 0;
    await waitFor(isCommitting, { what: "Postgres to commit" });
    opened.proxy.cut();
    return { begun };
  });
  await expect(begun).resolves.toHaveLength(2);
  expect(await opened.readBatches()).toEqual([["alice", "bob"]]);
});
