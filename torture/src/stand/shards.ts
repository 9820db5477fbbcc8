import { setTimeout as wait } from "node:timers/promises";
import { listChildProcesses, signalIfRunning, startPostgres } from "@reports/testing";
import postgres from "postgres";
import { hasShardsVariable } from "../processes/harness-types.ts";
import type { TortureDatabase } from "./database.ts";

/** Half of the rows are on the shard, and half on the main server. Reading a row of the shard takes 5 ms, so that a kill can interrupt a report. */
const rowsPerHalf = 40;
/** Only processes crash and not the machine, so fsync is not needed to keep written data. */
const settings = { fsync: "off", full_page_writes: "off" };

export async function startTortureShard({ url, proxiedUrl, sql }: TortureDatabase) {
  let shard = await startPostgres({ settings });
  const { port, dataDir } = shard;
  const { pathname, password, username } = new URL(shard.url);
  await run(
    shard.url,
    `create table numbers as select n as number, 'there ' || n as text from generate_series(${rowsPerHalf + 1}, ${2 * rowsPerHalf}) as n;
    create view slow_numbers as select number, text from numbers where pg_sleep(0.005) is not null;
    checkpoint`,
  );
  await sql`create database sharded`;
  await run(
    shardedUrlOf(url),
    `create extension postgres_fdw;
    create server shard foreign data wrapper postgres_fdw
      options (host '127.0.0.1', port '${port}', dbname '${pathname.slice(1)}', fetch_size '5', connect_timeout '3');
    create user mapping for current_user server shard options (user '${username}', password '${password}');
    create table numbers (number integer, text text) partition by range (number);
    create table numbers_here partition of numbers for values from (minvalue) to (${rowsPerHalf + 1});
    insert into numbers select n, 'here ' || n from generate_series(1, ${rowsPerHalf}) as n;
    create foreign table numbers_there partition of numbers for values from (${rowsPerHalf + 1}) to (maxvalue)
      server shard options (table_name 'slow_numbers');
    checkpoint`,
  );
  const kill = (): void => {
    for (const pid of [shard.pid, ...listChildProcesses(shard.pid)]) signalIfRunning(pid, "SIGKILL");
  };
  return {
    environment: {
      [hasShardsVariable]: "true",
      REPORT_SOURCES: "sharded",
      REPORT_SOURCE_SHARDED_URL: shardedUrlOf(proxiedUrl),
    },
    kill,
    async outage(downMs: number) {
      kill();
      await shard.stop("immediate", { keepData: true });
      await wait(downMs);
      shard = await startPostgres({ dataDir, port, password, settings });
    },
    async [Symbol.asyncDispose]() {
      await shard.stop("immediate", { keepData: false });
    },
  };
}

function shardedUrlOf(url: string): string {
  return new URL("/sharded", url).href;
}

async function run(url: string, statements: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => undefined, connection: { synchronous_commit: "on" } });
  try {
    // Sends the statements one by one, because Postgres runs several statements of one text in a single transaction.
    for (const statement of statements.split(";")) await client.unsafe(statement);
  } finally {
    await client.end();
  }
}
