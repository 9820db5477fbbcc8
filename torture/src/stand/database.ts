import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { judgeLoss } from "@reports/core";
import { copyInventory, createDatabase, createRescuer, migrateDatabase } from "@reports/db";
import { createFaultProxy, generateDemoInventory, startPostgres, type FaultProxy } from "@reports/testing";
import postgres, { type Sql } from "postgres";

/** Postgres, and the proxy through which the service sees it. */
export interface StandDatabase extends AsyncDisposable {
  readonly proxy: FaultProxy;
  readonly proxiedUrl: string;
  /** Of the harness itself, past the proxy. */
  readonly sql: Sql;
  readonly restarts: readonly { readonly from: number; readonly to: number }[];
  /** `immediate` is a crash. Resolves when connections are taken again. */
  restart(mode: "immediate" | "fast"): Promise<void>;
  /** Brings it to the version of this checkout. */
  migrate(): Promise<void>;
  /** One pass of the service's own rescuer, without its pause. */
  rescueNow(): Promise<void>;
  /** At once; for the end of an interrupted run. */
  kill(): void;
}

// A crash of Postgres is not one of the machine: what was written survives without fsync, but not without synchronous_commit.
const settings = { fsync: "off", full_page_writes: "off" };
const asOf = new Date("2026-06-01T00:00:00Z");

/**
 * Starts a Postgres with the service's tables and a small register that nobody changes.
 * @param checkout whose version it is to have; left out: this one's.
 */
export async function openDatabase(checkout?: string): Promise<StandDatabase> {
  let server = await startPostgres({ settings });
  const { url, port, dataDir } = server;
  const migrate = async (): Promise<void> => migrateDatabase({ databaseUrl: url });
  await (checkout === undefined ? migrate() : migrateBy(checkout, url));
  await copyInventory({ databaseUrl: url, ...generateDemoInventory({ proxies: 40, domains: 600, asOf }) });
  const proxy = await createFaultProxy({ upstream: { host: "127.0.0.1", port } });
  const sql = postgres(url, { max: 4, connect_timeout: 5, onnotice: () => undefined });
  const own = createDatabase({ url, max: 1 });
  const rescuer = createRescuer(own);
  const restarts: { from: number; to: number }[] = [];
  return {
    proxy,
    proxiedUrl: url.replace(`:${port}/`, `:${proxy.port}/`),
    sql,
    restarts,
    migrate,
    async restart(mode) {
      const from = Date.now();
      await server.stop(mode, { keepData: true });
      server = await startPostgres({ dataDir, port, password: new URL(url).password, settings });
      restarts.push({ from, to: Date.now() });
    },
    async rescueNow() {
      const limits = { deadAfterMs: 25_000, maxBackoffMs: 0, joblessAfterMs: 20_000 };
      await rescuer.rescue(judgeLoss, limits).catch(() => undefined);
    },
    kill() {
      try {
        process.kill(server.pid, "SIGQUIT");
      } catch {
        // It is being restarted; the new one is not known yet.
      }
    },
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 5 });
      await own.close();
      await proxy[Symbol.asyncDispose]();
      await server.stop("immediate", { keepData: false });
    },
  };
}

/** The command of another version of the service. */
async function migrateBy(checkout: string, databaseUrl: string): Promise<void> {
  const command = join(checkout, "packages/db/src/commands/migrate.ts");
  await promisify(execFile)(process.execPath, ["--conditions=@reports/source", command], {
    env: { DATABASE_URL: databaseUrl },
  });
}

/** Asks Postgres again while it is away: what the harness wants to know must not get lost in its own faults. */
export async function persistently<Result>(ask: () => PromiseLike<Result>, tries = 60): Promise<Result> {
  for (let left = tries; ; left--) {
    try {
      return await ask();
    } catch (error) {
      if (left <= 1) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
