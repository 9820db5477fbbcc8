import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyInventory, migrateDatabase } from "@reports/db";
import { endWithUs, generateDemoInventory, startPostgres, trySignal, type PostgresServer } from "@reports/testing";
import postgres from "postgres";

/** One server for all measurements: large enough to hold the rows in memory, with Postgres's default durability. */
const settings = {
  shared_buffers: "1GB",
  max_wal_size: "4GB",
  max_connections: "80",
  // Shows statements in full.
  track_activity_query_size: "16kB",
};
const password = "bench";

export interface BenchServer extends AsyncDisposable {
  readonly postgres: PostgresServer;
  /** URL of a migrated database with a proxy per 50 domains; created on first use. Sections that write use a purpose of their own. */
  database(domains: number, purpose?: string): Promise<string>;
}

/** Uses the folder of the last bench, so that its data need not be created again. */
export async function startBenchServer(folder = join(tmpdir(), "reports-bench")): Promise<BenchServer> {
  await mkdir(folder, { recursive: true });
  const server = await startPostgres({ dataDir: join(folder, "data"), password, settings });
  const forget = endWithUs({ kill: () => trySignal(server.pid, "SIGINT") });
  return {
    postgres: server,
    async database(domains, purpose) {
      const name = purpose === undefined ? `bench_${domains}` : `bench_${domains}_${purpose}`;
      const url = server.url.replace(/\/postgres$/, `/${name}`);
      await createFilled(server.url, url, name, domains);
      return url;
    },
    async [Symbol.asyncDispose]() {
      await server.stop("fast", { keepData: true });
      forget();
    },
  };
}

async function createFilled(adminUrl: string, url: string, name: string, domains: number): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    const found = await sql`select from pg_database where datname = ${name}`;
    if (found.length === 0) {
      // Only a completely filled database gets the name.
      const unfinished = `${name}_unfinished`;
      await sql`drop database if exists ${sql(unfinished)}`;
      await sql`create database ${sql(unfinished)}`;
      const unfinishedUrl = url.replace(name, unfinished);
      await migrateDatabase({ databaseUrl: unfinishedUrl });
      await copyInventory({ databaseUrl: unfinishedUrl, ...generateDemoInventory({ domains }) });
      const filled = postgres(unfinishedUrl, { max: 1, onnotice: () => undefined });
      await filled`vacuum (analyze) domains, proxies`.simple();
      await filled.end();
      await sql`alter database ${sql(unfinished)} rename to ${sql(name)}`;
    }
  } finally {
    await sql.end();
  }
  await migrateDatabase({ databaseUrl: url });
}
