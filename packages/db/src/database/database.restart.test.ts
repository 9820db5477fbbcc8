import { StoreUnavailableError } from "@reports/core/base";
import {
  createTestDatabases,
  isFullTestRun,
  startPostgres,
  throwAwayPostgresSettings,
  waitFor,
  type PostgresServer,
} from "@reports/testing";
import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { createDatabase, type Database } from "./database.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
let server: PostgresServer | null = null;

afterEach(async () => {
  await server?.stop("immediate", { keepData: false });
  server = null;
});

function keepBusy(database: Database, width: number) {
  const stopping = new AbortController();
  const outcomes = { committed: 0, unavailable: 0, other: [] as unknown[] };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await database.transaction(async (tx) => {
          await tx.execute(sql`insert into touched values (txid_current())`);
          await tx.execute(sql`select pg_sleep(0.01)`);
          await tx.execute(sql`insert into touched values (txid_current())`);
        });
        outcomes.committed++;
      } catch (error) {
        if (error instanceof StoreUnavailableError) outcomes.unavailable++;
        else outcomes.other.push(error);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  };
  const loops = Array.from({ length: width }, loop);
  return {
    outcomes,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

// In every run, connection-resets.test.ts continues after lost connections, and database.frozen.test.ts after a server that did not answer.
test.runIf(isFullTestRun)(
  "a pool works again after Postgres crashed and restarted during transactions",
  async () => {
    server = await startPostgres({ settings: throwAwayPostgresSettings });
    const { port, dataDir, url } = server;
    const { password } = new URL(url);
    const database = createDatabase({ url, max: 8 });
    await database.query((queries) => queries.execute(sql`create table touched (txid bigint)`));
    const busy = keepBusy(database, 16);
    for (let round = 1; round <= 3; round++) {
      const before = busy.outcomes.committed;
      await waitFor(() => busy.outcomes.committed > before + 20, { what: "transactions in progress" });
      const failed = busy.outcomes.unavailable;
      await server.stop("immediate", { keepData: true });
      await waitFor(() => busy.outcomes.unavailable > failed, {
        what: "transactions to fail",
      });
      server = await startPostgres({ port, dataDir, password, settings: throwAwayPostgresSettings });
      const seen = busy.outcomes.committed;
      await waitFor(() => busy.outcomes.committed > seen + 20, {
        what: "transactions on the restarted server",
      });
    }
    await busy.stop();
    expect(busy.outcomes.other).toEqual([]);
    const [row] = await database.query((queries) =>
      queries.execute(
        sql`select count(*)::int as halves from (select from touched group by txid having count(*) <> 2) as broken`,
      ),
    );
    expect(row).toEqual({ halves: 0 });
    await database.close();
  },
  120_000,
);

test("if Postgres ends a transaction's session, its later statements do not run", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url, max: 2 });
  await database.query((queries) => queries.execute(sql`create table touched (txid bigint)`));
  const late: unknown[] = [];
  const run = database.transaction(async (tx) => {
    const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await database.query((queries) => queries.execute(sql`select pg_terminate_backend(${row!.pid}, 5000)`));
    // For these calls, the pool reopens the connection that was terminated. The transaction's next statement must not run on it.
    await Promise.all(
      Array.from({ length: 4 }, () => database.query((queries) => queries.execute(sql`select pg_sleep(0.05)`))),
    );
    late.push(await tx.execute(sql`insert into touched values (1)`).catch((error: unknown) => error));
  });
  await expect(run).rejects.toBeInstanceOf(StoreUnavailableError);
  await waitFor(() => late.length === 1, { what: "the late statement to end" });
  expect(late[0]).toBeInstanceOf(Error);
  const [row] = await database.query((queries) => queries.execute(sql`select count(*)::int as rows from touched`));
  expect(row).toEqual({ rows: 0 });
  await database.close();
}, 120_000);
