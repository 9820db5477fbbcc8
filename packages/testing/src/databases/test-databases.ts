import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { Sql } from "postgres";
import { sessionPrefix, sessionServer } from "./session.ts";

/** A database of one test's own; disposing it drops it, ending whoever is still connected. */
export interface TestDatabase extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
}

/** Where cloned databases come from. */
export interface TestDatabases {
  /** A fresh copy of the migrated template (about 25 ms). `await using database = await cloneDatabase();` */
  cloneDatabase(): Promise<TestDatabase>;
}

/**
 * Databases that are copies of one template, which `migrate` makes ready once a run of vitest, whichever process asks first.
 * Give another `template` name where `migrate` does something else.
 */
export function createTestDatabases(options: {
  migrate(url: string): Promise<void>;
  template?: string;
}): TestDatabases {
  let ready: Promise<{ admin: Sql; url: string; template: string }> | undefined;

  async function prepare() {
    const { url } = await sessionServer();
    const template = `${sessionPrefix()}template_${options.template ?? "migrated"}`;
    // The connection goes when it is idle, so that it keeps no process alive.
    const admin = postgres(url, { max: 2, idle_timeout: 1, onnotice: () => undefined });
    await makeTemplate(admin, url, template, options.migrate);
    return { admin, url, template };
  }

  return {
    async cloneDatabase() {
      ready ??= prepare();
      const { admin, url, template } = await ready;
      const name = `${sessionPrefix()}${randomBytes(6).toString("hex")}`;
      await admin`create database ${admin(name)} template ${admin(template)}`;
      return {
        name,
        url: databaseUrl(url, name),
        async [Symbol.asyncDispose]() {
          await admin`drop database if exists ${admin(name)} with (force)`;
        },
      };
    },
  };
}

/** The same server and user, another database. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

async function makeTemplate(
  admin: Sql,
  url: string,
  template: string,
  migrate: (url: string) => Promise<void>,
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
    await migrate(databaseUrl(url, template));
    // Nobody may connect any more: a template in use cannot be copied.
    await lock`alter database ${admin(template)} with is_template true allow_connections false`;
  } finally {
    await lock`select pg_advisory_unlock_all()`;
    lock.release();
  }
}
