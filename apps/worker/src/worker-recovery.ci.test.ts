import { startPostgres, throwAwayPostgresSettings, waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { fastTimings, rowCopiesForEndlessSort, startWorkerProcesses } from "./test/worker-process.ts";

/** The start of a server can take longer on a busy machine than the production limits of missing heartbeats allow. */
const clocks = { ...fastTimings, life: { ...fastTimings.life, graceMs: 30_000, deadAfterMs: 35_000 } };

test("a worker survives a crash of Postgres and finishes its report once", async () => {
  const settings = { ...throwAwayPostgresSettings };
  let server = await startPostgres({ settings });
  const { port, dataDir } = server;
  const { password } = new URL(server.url);
  try {
    await using processes = await startWorkerProcesses({ serverUrl: server.url, clocks });
    const worker = await processes.worker();
    let ended = false;
    void worker.ended.then(() => (ended = true));
    await processes.enlarge(rowCopiesForEndlessSort);
    const id = await processes.start();
    await waitFor(async () => (await processes.queries()).length === 1, { what: "the report's query" });
    // The running query still sees the many copies. The next attempt must see only one, and it can begin as soon as the server is back.
    await processes.enlarge(1);
    await server.stop("immediate", { keepData: true });
    server = await startPostgres({ port, dataDir, password, settings });
    await processes.until(id, "SUCCEEDED", 120_000);
    expect(await processes.find(id)).toMatchObject({ failures: 0, error: null });
    await waitFor(async () => (await processes.sql`select from report_queue.jobs`).length === 0, {
      what: "no job to be left",
      timeoutMs: 60_000,
    });
    expect(ended).toBe(false);
  } finally {
    await server.stop("immediate", { keepData: false });
  }
}, 240_000);
