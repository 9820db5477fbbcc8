import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { Sql } from "postgres";
import { waitFor } from "../wait-for.ts";
import { addRecordsOfOtherOwners, digestRecordsOfOtherOwners } from "./other-owner-principals.ts";
import { testDatabaseNamePrefix, getTestSessionPostgres } from "./session.ts";

export interface TestDatabase extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
}

/** Returns a function that clones a template database, which `migrate` prepares once per run. Another `migrate` needs another `template` name. */
export function createTestDatabases(options: {
  migrate(url: string): Promise<void>;
  template?: string;
  /** Whether clones contain records of other owners (other-owner-principals.ts). Default: true. Use false for tests that process or count all records. */
  otherOwners?: boolean;
}) {
  const others = options.otherOwners ?? true;
  let ready: Promise<{ admin: Sql; url: string; template: string }> | undefined;

  async function prepare() {
    const { url } = await getTestSessionPostgres();
    const template = `${testDatabaseNamePrefix()}template_${options.template ?? "migrated"}${others ? "" : "_alone"}`;
    // idle_timeout closes an idle connection. An open connection would keep the test process running.
    const admin = postgres(url, { max: 2, idle_timeout: 1, onnotice: () => undefined });
    await makeTemplate(admin, url, template, async (made) => {
      await options.migrate(made);
      return others && (await addRecordsOfOtherOwners(made)) ? await digestRecordsOfOtherOwners(made) : {};
    });
    return { admin, url, template };
  }

  return {
    async cloneDatabase(): Promise<TestDatabase> {
      ready ??= prepare();
      const { admin, url, template } = await ready;
      const name = `${testDatabaseNamePrefix()}${randomBytes(6).toString("hex")}`;
      // The strategy file_copy takes a quarter less processor time than the default, which writes the copy to the write-ahead log.
      await repeatWhileInUse(
        template,
        () => admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`,
      );
      return {
        name,
        url: buildDatabaseUrl(url, name),
        async [Symbol.asyncDispose]() {
          // If the database cannot be read, the test itself has failed, so no further error is reported.
          const changed = others
            ? await findChangedTables(admin, template, buildDatabaseUrl(url, name)).catch(() => [])
            : [];
          await repeatWhileInUse(name, () => admin`drop database if exists ${admin(name)} with (force)`);
          if (changed.length > 0)
            throw new Error(
              `The test has changed records of other owners in ${changed.join(", ")}. A statement forgets whose records it changes. If the test is of work on all records, create its database with otherOwners: false.`,
            );
        },
      };
    },
  };
}

export function buildDatabaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** Postgres itself waits only 5 s until the sessions of a database have ended, and then refuses to copy or drop it with this SQLSTATE. */
const inUseState = "55006";

async function repeatWhileInUse(database: string, run: () => Promise<unknown>): Promise<void> {
  await waitFor(
    () =>
      run().then(
        () => true,
        (error: unknown) => {
          if (error instanceof postgres.PostgresError && error.code === inUseState) return false;
          throw error;
        },
      ),
    { what: `the sessions of the database ${database} to end` },
  );
}

async function findChangedTables(admin: Sql, template: string, url: string): Promise<readonly string[]> {
  const [row] = await admin<{ made: string | null }[]>`
    select shobj_description(oid, 'pg_database') as made from pg_database where datname = ${template}`;
  const made = JSON.parse(row?.made ?? "{}") as Record<string, string>;
  if (Object.keys(made).length === 0) return [];
  const found = await digestRecordsOfOtherOwners(url);
  return Object.keys(made).filter((table) => made[table] !== found[table]);
}

async function makeTemplate(
  admin: Sql,
  url: string,
  template: string,
  make: (url: string) => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  const lock = await admin.reserve();
  try {
    await lock`select pg_advisory_lock(hashtext(${template}))`;
    const [found] = await lock<
      { finished: boolean }[]
    >`select datistemplate as finished from pg_database where datname = ${template}`;
    if (found?.finished === true) return;
    if (found !== undefined) await lock`drop database ${admin(template)} with (force)`;
    await lock`create database ${admin(template)}`;
    const others = await make(buildDatabaseUrl(url, template));
    await lock`select set_config('reports.comment', ${JSON.stringify(others)}, false)`;
    await lock.unsafe(
      `do $$ begin execute format('comment on database %I is %L', '${template}', current_setting('reports.comment')); end $$`,
    );
    // Forbid connections, because Postgres cannot copy a template that is in use.
    await lock`alter database ${admin(template)} with is_template true allow_connections false`;
  } finally {
    await lock`select pg_advisory_unlock_all()`;
    lock.release();
  }
}
