import { isFullTestRun, waitFor } from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { cloneDatabaseWithRoles } from "./databases-with-roles.fixture.ts";
import { createDatabaseRoles } from "./roles.ts";

async function openInUse(work: readonly string[]) {
  const clone = await cloneDatabaseWithRoles();
  const owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const other = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const held = await other.reserve();
  return {
    url: clone.url,
    owner,
    async begin() {
      await held`begin`;
      for (const statement of work) await held.unsafe(statement);
    },
    end: () => held`rollback`,
    async [Symbol.asyncDispose]() {
      held.release();
      await Promise.all([owner.end(), other.end()]);
      await clone[Symbol.asyncDispose]();
    },
  };
}

async function readState(owner: postgres.Sql) {
  return owner`
    select 'policy' as kind, schemaname || '.' || tablename as "table", to_jsonb(p)::text as state from pg_policies as p
    union all
    select 'trigger', tgrelid::regclass::text, tgenabled::text || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all
    select 'table', oid::regclass::text, concat_ws(' ', relrowsecurity, relacl) from pg_class where relnamespace = 'public'::regnamespace
    union all
    select 'column', attrelid::regclass::text, attname || attacl::text from pg_attribute where attacl is not null
    order by 1, 2, 3`;
}

test("createDatabaseRoles, run again, waits for no reader or writer of a table", async () => {
  await using database = await openInUse([
    "select from domains",
    // Sessions of this test hold these locks. If createDatabaseRoles requested a lock that blocks readers or writers, it would have to wait, and the test
    // would fail.
    "lock table proxies, domains, reports, report_events, report_schedules, report_schedule_fires, file_removals in row exclusive mode",
    "lock table webhooks, webhook_deliveries, download_links in row exclusive mode",
    "lock table report_queue_quick._private_jobs, report_queue_bulk._private_jobs in row exclusive mode",
  ]);
  await database.begin();
  await expect(createDatabaseRoles({ databaseUrl: database.url, waitMs: 0 })).resolves.toEqual([]);
});

test("createDatabaseRoles restores rights, policies and triggers that were changed by hand", async () => {
  await using database = await openInUse([]);
  const before = await readState(database.owner);
  const changes = [
    "drop policy reports_api_insert on reports",
    "alter policy reports_api_insert on reports with check (true)",
    "alter policy register_worker_delete on domains to public",
    "create policy reports_worker_all on reports to reports_worker using (true)",
    "alter table file_removals disable row level security",
    "drop trigger report_events_refuse_untrue_by_api on report_events",
    "alter table reports disable trigger reports_refuse_change_by_api",
    "drop policy reports_worker_all on report_queue_bulk._private_jobs",
    "alter policy reports_worker_all on report_queue_bulk._private_jobs using (false)",
    "revoke select on domains from reports_api",
    "grant delete on reports to reports_api",
    "revoke update (title) on reports from reports_api",
  ];
  // In CI, each change alone. Elsewhere, every fourth change together. No group changes the guards of one table twice, because one difference repairs
  // the whole table.
  const groups = Object.values(Object.groupBy(changes, (_, index) => (isFullTestRun ? index : index % 4)));
  for (const group of groups) {
    const change = group!.join("; ");
    await database.owner.unsafe(change);
    expect({ change, state: await readState(database.owner) }).not.toEqual({ change, state: before });
    await createDatabaseRoles({ databaseUrl: database.url });
    expect({ change, state: await readState(database.owner) }).toEqual({ change, state: before });
  }
});

test("createDatabaseRoles waits for a table in use without blocking its readers", async () => {
  await using database = await openInUse(["select from domains"]);
  const before = await readState(database.owner);
  await database.owner`drop policy register_api on domains`;
  await database.begin();
  const busy = postgres(database.url, { max: 1 });
  const messages: string[] = [];
  const { promise: waiting, resolve: onWaiting } = Promise.withResolvers<void>();
  const run = createDatabaseRoles({
    databaseUrl: database.url,
    onWait: (message) => {
      messages.push(message);
      onWaiting();
    },
  });
  await busy.begin(async (sql) => {
    await sql`lock table reports, proxies in row exclusive mode`;
    await Promise.race([waiting, run]);
    await database.owner`select from domains`;
    await database.end();
    await run;
  });
  await busy.end();
  expect(messages[0]).toContain("domains");
  expect(messages[0]).not.toContain("proxies");
  expect(await readState(database.owner)).toEqual(before);
});

test("createDatabaseRoles locks no other table while it waits for a table in use", async () => {
  const pairs = [
    ["domains", "reports"],
    ["reports", "domains"],
  ] as const;
  for (const [inUse, free] of isFullTestRun ? pairs : pairs.slice(1)) {
    await using database = await openInUse([`select from ${inUse}`]);
    const before = await readState(database.owner);
    await database.owner`drop policy register_api on domains`;
    await database.owner`drop policy reports_api_insert on reports`;
    await database.begin();
    const messages: string[] = [];
    const run = createDatabaseRoles({ databaseUrl: database.url, onWait: (message) => messages.push(message) });
    await waitFor(
      async () => {
        // pg_locks lists the locks of all databases. Clones have the same table numbers, and other tests run at the same time.
        const locks = await database.owner<{ table: string; granted: boolean }[]>`
          select relation::regclass::text as "table", granted from pg_locks
          where mode = 'AccessExclusiveLock' and locktype = 'relation' and relation in ('domains'::regclass, 'reports'::regclass)
            and database = (select oid from pg_database where datname = current_database())`;
        if (locks.every(({ granted }) => granted)) return false;
        expect(locks).toEqual([{ table: inUse, granted: false }]);
        return true;
      },
      { what: `a wait for ${inUse}` },
    );
    await waitFor(async () => messages.length > 0, { what: "the message" });
    expect(messages[0]).toContain(inUse);
    expect(messages[0]).not.toContain(free);
    await database.end();
    await run;
    expect(await readState(database.owner)).toEqual(before);
  }
});

test("if a table stays in use, createDatabaseRoles rejects with its name and changes nothing", async () => {
  await using database = await openInUse(["select from domains"]);
  await database.owner`drop policy register_api on domains`;
  await database.owner`revoke select on reports from reports_api`;
  const before = await readState(database.owner);
  await database.begin();
  const run = createDatabaseRoles({ databaseUrl: database.url, waitMs: 0 });
  await expect(run).rejects.toThrow(/domains .*pg_locks.* again/);
  expect(await readState(database.owner)).toEqual(before);
});

test("concurrent runs of createDatabaseRoles all succeed", async () => {
  await using database = await openInUse([]);
  const before = await readState(database.owner);
  await database.owner`drop policy register_api on domains`;
  await Promise.all([1, 2, 3].map(() => createDatabaseRoles({ databaseUrl: database.url })));
  expect(await readState(database.owner)).toEqual(before);
});
