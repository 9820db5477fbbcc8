import { runReportTask } from "@reports/core";
import { migrateDatabase } from "@reports/db";
import { createLogger } from "@reports/runtime";
import { createTestDatabases, waitFor } from "@reports/testing";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { createJobRunner } from "./job-runner.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });

async function openRunner(lookGraceMs: number) {
  const clone = await cloneDatabase();
  const sql = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const lines: string[] = [];
  const taken: string[] = [];
  const ended: unknown[] = [];
  const runner = createJobRunner({
    databaseUrl: clone.url,
    concurrency: 1,
    logger: createLogger({ name: "test", level: "debug", destination: { write: (line) => lines.push(line) } }),
    graceMs: 0,
    lookGraceMs,
    forbiddenFlags: () => [],
    onUnexpectedEnd: (error) => ended.push(error),
  });
  onTestFinished(async () => {
    await runner.stop();
    await sql.end();
    await clone[Symbol.asyncDispose]();
  });
  return {
    sql,
    taken,
    ended,
    start: async () => runner.start({ [runReportTask]: async (_, { job }) => void taken.push(job.id) }),
    addJob: async () => sql`select graphile_worker.add_job(${runReportTask}, '{}'::json)`,
    untilLookFails: async () =>
      waitFor(() => lines.some((line) => line.includes("Failed to acquire job")), { what: "a look that fails" }),
  };
}

test("a runner whose looks for jobs keep failing says that it ended, instead of living on without jobs", async () => {
  const { sql, taken, ended, start, addJob, untilLookFails } = await openRunner(1_000);
  await sql`alter table graphile_worker._private_tasks rename to hidden`;
  await start();
  await untilLookFails();
  await sql`alter table graphile_worker.hidden rename to _private_tasks`;
  await addJob();
  await waitFor(() => taken.length + ended.length > 0, { what: "the job to be taken, or the end", timeoutMs: 20_000 });
  expect(taken).toHaveLength(ended.length === 0 ? 1 : 0);
}, 60_000);

test("a runner whose looks for jobs fail for a while takes jobs again, and has not ended", async () => {
  const { sql, taken, ended, start, addJob, untilLookFails } = await openRunner(15_000);
  await start();
  await addJob();
  await waitFor(() => taken.length === 1, { what: "the first job" });
  await sql`alter table graphile_worker._private_jobs rename to hidden`;
  await untilLookFails();
  await sql`alter table graphile_worker.hidden rename to _private_jobs`;
  await addJob();
  await waitFor(() => taken.length === 2, { what: "the second job", timeoutMs: 20_000 });
  expect(ended).toEqual([]);
}, 60_000);
