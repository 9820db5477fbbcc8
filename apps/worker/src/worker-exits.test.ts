import { hasPgbouncer, startPgbouncer } from "@reports/testing";
import { expect, test } from "vitest";
import { endsWithoutHeartbeat, endsWithoutPostgres } from "./test/worker-deaths.ts";
import { fastClocks, startWorkerProcesses } from "./test/worker-process.ts";

// The tests wait more than they compute, and each has its own database and processes.

test.concurrent("a worker whose Postgres does not answer ends itself with exit code 1", async () => {
  await endsWithoutPostgres(fastClocks);
}, 180_000);

test.concurrent("a worker whose heartbeat alone is not recorded ends itself with exit code 1", async () => {
  await endsWithoutHeartbeat(fastClocks);
}, 180_000);

test.concurrent(
  "a worker behind a pooler in transaction mode ends immediately and says why",
  { skip: !hasPgbouncer(), timeout: 180_000 },
  async () => {
    await using processes = await startWorkerProcesses();
    await using pooler = await startPgbouncer({ databaseUrl: processes.url, settings: { pool_mode: "transaction" } });
    const start = processes.worker({ DATABASE_URL: pooler.url });
    await expect(start).rejects.toThrow(/DATABASE_URL: leads to a connection pooler in transaction/);
  },
);
