import { randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { unlimitedStarts } from "@reports/core/report";
import { createTestDatabases, makeNewReport, unrestrictedClaimTerms } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { createReportStore } from "../reports/report-store.ts";
import { defaultQueueSchema } from "../queue/queue-schema.ts";
import { apiPrivileges } from "./api-privileges.fixture.ts";
import { createDatabaseRoles, databaseRoles } from "./roles.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { apiRequiredStatements, workerRequiredStatements } from "./role-needs.fixture.ts";
import {
  callableFunctions,
  type AttackTargetIds,
  type TablePrivilege,
  type TablePrivileges,
} from "./role-powers.fixture.ts";
import { workerPrivileges } from "./worker-privileges.fixture.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const permissionDenied = "42501";
const powers = { api: apiPrivileges, worker: workerPrivileges } as const;
const needs = { api: apiRequiredStatements, worker: workerRequiredStatements } as const;
type Role = keyof typeof powers;
const roles = ["api", "worker"] as const;
const crud = ["DELETE", "INSERT", "SELECT", "UPDATE"];

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let owner: Sql;
let ids: AttackTargetIds;
const sessions = new Map<Role, Sql>();
const users: string[] = [];
beforeAll(async () => {
  clone = await cloneDatabase();
  await createDatabaseRoles({ databaseUrl: clone.url });
  owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  for (const role of roles) {
    const user = `test_${randomBytes(6).toString("hex")}`;
    await owner.unsafe(`create role ${user} login password 'x' in role ${databaseRoles[role]}`);
    users.push(user);
    const url = Object.assign(new URL(clone.url), { username: user, password: "x" });
    sessions.set(role, postgres(url.href, { max: 1, onnotice: () => undefined }));
  }
  ids = await seed();
});
afterAll(async () => {
  for (const session of sessions.values()) await session.end();
  for (const user of users) await owner.unsafe(`drop role ${user}`);
  await owner.end();
  await clone[Symbol.asyncDispose]();
});

async function seed(): Promise<AttackTargetIds> {
  const database = createDatabase({ url: clone.url });
  const store = createReportStore(database);
  const start = async () =>
    (await store.createQueued(makeNewReport({ requestedBy: "basic:alice" }), unlimitedStarts)).report.id;
  const claim = async (id: string) => store.claim(id, { workerId: "w", leaseMs: 60_000, ...unrestrictedClaimTerms });
  const complete = async (id: string) => {
    await claim(id);
    const file = {
      id: randomUUID(),
      fileName: "a.csv",
      extension: "csv",
      contentType: "text/csv",
      sizeBytes: 1,
      sha256: "a".repeat(64),
      columns: [],
      storageKey: `reports/${id}/1-a.csv`,
      storedVersion: "1",
    };
    await store.complete(id, 1, { file, rowCount: 0, dataAsOf: new Date(), warnings: [], retentionMs: 60_000 });
  };
  const [queued, running, ended, deleted] = [await start(), await start(), await start(), await start()];
  await claim(running);
  await complete(ended);
  await complete(deleted);
  await store.remove(deleted, "basic:alice");
  await database.close();
  const one = async (statement: string): Promise<string> => {
    const [row] = await owner.unsafe<{ id: string }[]>(`${statement} returning id`);
    return row!.id;
  };
  const schedule = async (more: string, values: string) =>
    one(`insert into report_schedules (id, name, report_type, definition_version, search_param, options, cron, timezone, counted_from, missed,
      missed_within_seconds, overlap, tz_version, owner, ${more}) values (gen_random_uuid(), 'n', 'PROXY', 1, '{}', '{}', '0 0 1 1 *', 'UTC',
      now(), 'SKIP', 60, 'SKIP', '2026a', 'issuer|ann', ${values})`);
  const webhook = async (of: string, more = "url", values = "'https://a'") =>
    one(`insert into webhooks (id, owner, events, of_whom, secret, owner_authorities, ${more === "url" ? "" : "url, "}${more})
      values (gen_random_uuid(), '${of}', '{}', 'OWN', 'x', '{}', ${more === "url" ? "" : "'https://a', "}${values})`);
  const ofIssuer = await webhook("issuer|ann");
  const link = async (expires: string, revoked: string) =>
    one(`insert into download_links (id, token_hash, report_id, file_id, created_by, created_at, expires_at, revoked_at)
      values (gen_random_uuid(), gen_random_uuid()::text, '${ended}', gen_random_uuid(), 'basic:alice', now(), ${expires}, ${revoked})`);
  await owner`insert into file_removals (storage_key, reason, due_at) values ('reports/y/1-a.csv', 'expired', now())`;
  const proxy = await one(
    "insert into proxies (id, name, kind, address, port, protocol) values (gen_random_uuid(), 'edge', 'REVERSE', '192.0.2.1', 80, 'HTTP')",
  );
  await one(`insert into domains (id, proxy_id, hostname, hostname_ascii, upstream_scheme, upstream_host, upstream_port, tls_mode)
    values (gen_random_uuid(), '${proxy}', 'a.example', 'a.example', 'HTTP', 'b', 80, 'NONE')`);
  return {
    queued,
    running,
    ended,
    deleted,
    proxy,
    schedule: await schedule("status, next_fire_at", "'ACTIVE', now()"),
    pausedSchedule: await schedule("status", "'PAUSED'"),
    webhook: ofIssuer,
    userWebhook: await webhook("basic:alice"),
    pausedWebhook: await webhook("issuer|ann", "status, paused_because", "'PAUSED', 'REQUESTED'"),
    deletedWebhook: await webhook("issuer|ann", "deleted_at", "now()"),
    delivery: await one(`insert into webhook_deliveries (id, webhook_id, event_id, type, data, status, ended_at)
      values (gen_random_uuid(), '${ofIssuer}', gen_random_uuid(), 'webhook.test', '{}', 'FAILED', now())`),
    link: await link("now() + interval '1 hour'", "null"),
    revokedLink: await link("now() + interval '1 hour'", "now()"),
  };
}

async function outcomeOf(session: Sql, statements: string): Promise<string | number> {
  try {
    return countOf(await session.begin(async (tx) => tx.unsafe(statements)));
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

function countOf(results: postgres.RowList<postgres.Row[]>): number {
  const last: unknown = Array.isArray(results[0]) ? results.at(-1) : results;
  return (last as { readonly count: number }).count;
}

async function readTables(): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await owner<{ name: string; columns: string[] }[]>`
    select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind in ('r', 'p', 'v', 'm') and relnamespace = 'public'::regnamespace group by relname`;
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

function updatable({ update = [] }: TablePrivileges, columns: readonly string[]): readonly string[] {
  const named = update.flatMap((each) => each.columns);
  return named.includes("*") ? columns : named;
}

function powersOf({ insert, update = [], delete: removal }: TablePrivileges): readonly TablePrivilege[] {
  return [insert, ...update, removal].filter((power) => power !== undefined);
}

describe.each(roles)("the role of the %s", (role) => {
  test("each database role has exactly the column rights that its list of powers has", async () => {
    const tables = await readTables();
    expect(Object.keys(powers[role]).toSorted()).toEqual([...tables.keys()].toSorted());
    for (const [name, columns] of tables) {
      const of = powers[role][name]!;
      const { select = [] } = of;
      const wanted = {
        select: select === "all" ? columns : select,
        insert: of.insert === undefined ? [] : columns,
        update: updatable(of, columns),
      };
      for (const [privilege, expected] of Object.entries(wanted)) {
        const granted = await owner<{ column: string }[]>`
          select attname as column from pg_attribute where attrelid = ${name}::regclass and attnum > 0 and not attisdropped
            and has_column_privilege(${databaseRoles[role]}, attrelid, attnum, ${privilege})`;
        const found = granted.map(({ column }) => column);
        expect([name, privilege, found.toSorted()]).toEqual([name, privilege, [...expected].toSorted()]);
      }
    }
  });

  test("Postgres refuses each role all statements that its list of powers lacks", async () => {
    const session = sessions.get(role)!;
    let tried = 0;
    const expectRefused = async (statement: string): Promise<void> => {
      tried += 1;
      expect([statement, await outcomeOf(session, statement)]).toEqual([statement, permissionDenied]);
    };
    for (const [name, columns] of await readTables()) {
      const of = powers[role][name]!;
      const { select = [] } = of;
      const [readable, writable] = [select === "all" ? columns : select, updatable(of, columns)];
      for (const column of columns) {
        if (!readable.includes(column)) await expectRefused(`select ${column} from ${name} limit 0`);
        if (!writable.includes(column)) await expectRefused(`update ${name} set ${column} = default`);
      }
      if (of.insert === undefined) await expectRefused(`insert into ${name} default values`);
      if (of.delete === undefined) await expectRefused(`delete from ${name}`);
      await expectRefused(`truncate ${name} cascade`);
    }
    expect(tried).toBeGreaterThan(100);
  });

  test("Postgres refuses a database role every listed misuse of its rights", async () => {
    const session = sessions.get(role)!;
    for (const of of Object.values(powers[role])) {
      for (const { attacks = [] } of powersOf(of)) {
        for (const attack of attacks) {
          const statement = attack(ids);
          // Row-level security hides the row from DELETE instead of refusing the statement. So DELETE changes 0 rows.
          const isHidden: readonly (string | number)[] = statement.startsWith("delete") ? [0] : [];
          const outcome = await outcomeOf(session, statement);
          expect([statement, outcome, [permissionDenied, ...isHidden].includes(outcome)]).toEqual([
            statement,
            outcome,
            true,
          ]);
        }
      }
    }
  });

  test("each database role can run every statement that its process needs", async () => {
    const session = sessions.get(role)!;
    for (const need of needs[role]) {
      const statement = need(ids);
      let changed = 0;
      const undone = session.begin(async (tx) => {
        changed = countOf(await tx.unsafe(statement));
        await tx`set constraints all immediate`;
        throw new Error("undone");
      });
      const error = await undone.catch((caught: unknown) => (caught as Error).message);
      expect([statement, error, changed]).toEqual([statement, "undone", 1]);
    }
  });

  test("database-roles.md lists exactly the powers that each role could still misuse", async () => {
    const page = await readFile(new URL("../../../../docs/reference/database-roles.md", import.meta.url), "utf8");
    const [, section = ""] = page.split("\n## Remaining powers of each role\n");
    const rows = [...section.split("\n## ", 1)[0]!.matchAll(/^\| ([^|]+) \| (API|worker) \|/gm)];
    const written = rows.filter(([, , of]) => of === (role === "api" ? "API" : "worker")).map(([, left]) => left);
    const all = Object.values(powers[role]).flatMap(powersOf);
    for (const { attacks = [], left } of all) expect(attacks.length > 0 || left !== null).toBe(true);
    expect(new Set(written)).toEqual(new Set(all.map(({ left }) => left).filter((left) => left !== null)));
  });

  test("a role may call only the listed functions that run with the owner's rights", async () => {
    const rows = await owner<{ name: string }[]>`
      select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef and prorettype <> 'trigger'::regtype
        and has_function_privilege(${databaseRoles[role]}, oid, 'EXECUTE')
        and not exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0)
      order by 1`;
    expect(rows.map(({ name }) => name)).toEqual([...callableFunctions[role]]);
  });
});

test("except in public, the worker's role writes only the queue, the API's nothing", async () => {
  for (const role of roles) {
    const rows = await owner<{ on: string; may: string[] }[]>`
      select nspname || '.' || relname as on, array_agg(privilege order by privilege) as may
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) as privilege
      where relkind in ('r', 'p', 'v', 'm') and nspname not in ('public', 'pg_catalog', 'information_schema', 'pg_toast')
        and has_table_privilege(${databaseRoles[role]}, pg_class.oid, privilege)
      group by 1`;
    const written = rows.filter(({ may }) => may.join() !== "SELECT");
    const read = rows.filter((row) => !written.includes(row)).map(({ on }) => on);
    const lanes = ["quick", "bulk", "suspect"].map((lane) => `${defaultQueueSchema}_${lane}`);
    const migrations = "drizzle.__drizzle_migrations";
    expect(new Set(read)).toEqual(
      new Set(
        role === "api"
          ? [migrations]
          : [migrations, `${defaultQueueSchema}.jobs`, ...lanes.map((lane) => `${lane}.migrations`)],
      ),
    );
    for (const { on, may } of written) expect([lanes.includes(on.split(".", 1)[0]!), may]).toEqual([true, crud]);
    expect(new Set(written.map(({ on }) => on.split(".", 1)[0]))).toEqual(new Set(role === "api" ? [] : lanes));
  }
});

test("nobody, not even the tables' owner, can change a report's requester or filters", async () => {
  for (const set of [
    "requested_by = 'x'",
    "required_authority = 'x'",
    "requester_name = 'x'",
    "report_type = 'x'",
    "search_param = '{\"a\": 1}'",
    "schedule_id = gen_random_uuid()",
    "counted_for = 'x'",
  ])
    expect([set, await outcomeOf(owner, `update reports set ${set} where id = '${ids.queued}'`)]).toEqual([
      set,
      permissionDenied,
    ]);
});

test("the worker can queue events only of schedules that it has just paused", async () => {
  const worker = sessions.get("worker")!;
  const queueEvent = (type: string, id: string, because: string) => `
    select add_webhook_deliveries('${type}', 'issuer|ann', 'PROXY', null, jsonb_build_object('scheduleId', '${id}'::text, 'because', '${because}'::text))`;
  const pause = `
    update report_schedules set status = 'PAUSED', paused_because = 'KEEPS_FAILING', next_fire_at = null where id = '${ids.schedule}'`;
  for (const statement of [
    queueEvent("schedule.paused", ids.schedule, "KEEPS_FAILING"),
    queueEvent("report.succeeded", ids.schedule, "KEEPS_FAILING"),
    `${pause}; ${queueEvent("schedule.paused", ids.schedule, "OWNER_NOT_SEEN")}`,
    `${pause}; ${queueEvent("schedule.paused", ids.pausedSchedule, "KEEPS_FAILING")}`,
    `${pause}; ${queueEvent("report.failed", ids.schedule, "KEEPS_FAILING")}`,
  ])
    expect(await outcomeOf(worker, statement)).toBe(permissionDenied);
  expect(await outcomeOf(worker, `${pause}; ${queueEvent("schedule.paused", ids.schedule, "KEEPS_FAILING")}`)).toBe(1);
});

test("Postgres sets the time of a webhook owner's confirmation, not the API", async () => {
  const api = sessions.get("api")!;
  await owner`update webhooks set confirmed_at = '2000-01-01' where id = ${ids.webhook}`;
  await api.unsafe(
    `update webhooks set owner_authorities = '{A}', confirmed_at = 'infinity' where id = '${ids.webhook}'`,
  );
  const [row] = await owner`
    select confirmed_at between now() - interval '1 hour' and now() as "isNow" from webhooks where id = ${ids.webhook}`;
  expect(row).toEqual({ isNow: true });
});
