import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { startWorkerProcesses } from "../test/worker-process.ts";

test(
  "a report that is too large for one spool is made by a worker with a larger one",
  { timeout: 300_000 },
  async () => {
    await using processes = await startWorkerProcesses();
    await processes.enlarge(20);
    const small = await processes.worker({ SPOOL_MAX_BYTES: "65536" });
    const large = await processes.worker({ SPOOL_MAX_BYTES: "128MiB" });
    let attempts: readonly { readonly count: number }[];
    // While the small worker stands still, the large one can make all ten reports.
    do {
      const ids = [];
      for (let count = 0; count < 10; count++) ids.push(await processes.start());
      for (const id of ids) await processes.until(id, "SUCCEEDED", 240_000);
      attempts = await processes.sql<{ count: number }[]>`
        select count(*)::int as count from report_events
        where to_status = 'RUNNING' and actor like ${`worker:%:${small.pid}:%`} group by report_id`;
    } while (attempts.length === 0);
    expect(attempts.map(({ count }) => count)).toEqual(attempts.map(() => 1));

    expect(await large.stop()).toBe(0);
    const id = await processes.start();
    await processes.until(id, "FAILED");
    expect(await processes.find(id)).toMatchObject({ attempt: 1, error: { code: "SPOOL_LIMIT_EXCEEDED" } });
    expect(await processes.sql`select spool_bytes::int as bytes from worker_heartbeats`).toEqual([{ bytes: 65_536 }]);
    const isReady = async () => (await fetch(`${small.origin()}/health/ready`)).status === 200;
    await waitFor(isReady, { what: "the small worker to be ready: the report is to blame" });
  },
);
