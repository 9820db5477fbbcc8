import { mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyIntoInventory, migrateDatabase } from "@reports/db";
import {
  killOnExit,
  generateDemoInventory,
  startPostgres,
  signalIfRunning,
  type PostgresServer,
} from "@reports/testing";
import type { TransactionSql } from "postgres";
import { openDisposableSql } from "./open-disposable-sql.ts";

/** Postgres settings for all measurements. All rows fit in memory. Durability is Postgres's default, because the reports need it. */
const settings = {
  shared_buffers: "1GB",
  max_wal_size: "4GB",
  max_connections: "80",
  // Maximum length of a statement in pg_stat_activity. The bench reads whole statements there, to run them without the service.
  track_activity_query_size: "16kB",
};
const password = "bench";

export interface BenchPostgres extends AsyncDisposable {
  readonly postgres: PostgresServer;
  /**
   * Returns the URL of a migrated database with one proxy per 50 domains. A section that writes passes its `purpose` and gets a database of its own.
   */
  database(domains: number, purpose?: string): Promise<string>;
}

/** Starts Postgres on the data folder of earlier bench runs and reuses its databases, because filling one takes long. */
export async function startBenchPostgres(folder = join(tmpdir(), "reports-bench")): Promise<BenchPostgres> {
  await mkdir(folder, { recursive: true });
  const server = await startPostgres({ dataDir: join(folder, "data"), password, settings });
  const forget = killOnExit({ kill: () => signalIfRunning(server.pid, "SIGINT") });
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
  await using sql = openDisposableSql(adminUrl);
  const found = await sql`select from pg_database where datname = ${name}`;
  if (found.length === 0) {
    // The database gets its final name when it is filled, so that an interrupted run leaves no half-filled database with that name.
    const unfinished = `${name}_unfinished`;
    await sql`drop database if exists ${sql(unfinished)}`;
    await sql`create database ${sql(unfinished)}`;
    const unfinishedUrl = url.replace(name, unfinished);
    await migrateDatabase({ databaseUrl: unfinishedUrl });
    await copyIntoInventory({ databaseUrl: unfinishedUrl, ...generateDemoInventory({ domains }) });
    const filled = openDisposableSql(unfinishedUrl);
    await filled`vacuum (analyze) domains, proxies`.simple();
    await filled.end();
    await sql`alter database ${sql(unfinished)} rename to ${sql(name)}`;
  }
  await migrateDatabase({ databaseUrl: url });
}

export async function insertReportRecords(transaction: TransactionSql, count: number): Promise<void> {
  const text = await readFile(join(import.meta.dirname, "report-records.sql"), "utf8");
  await transaction.unsafe(text.replaceAll(":records", String(count)));
}
