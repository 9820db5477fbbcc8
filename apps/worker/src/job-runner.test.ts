import { runReportTask } from "@reports/core";
import { createQueuePool, migrateDatabase } from "@reports/db";
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
    pool: createQueuePool({ url: clone.url, max: 3, onLost: () => undefined }),
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

test("a job whose end cannot be written at once does not end the runner: it is written later", async () => {
  const { sql, taken, ended, start, addJob } = await openRunner(15_000);
  await start();
  // What a sequence counts stays when the statement fails.
  await sql`create sequence tries`;
  await sql`
    create function refuse() returns trigger language plpgsql
    as 'begin perform nextval(''tries''); raise exception ''not now''; end'`;
  for (const round of [1, 2]) {
    await sql`
      create trigger refuse before delete on graphile_worker._private_jobs for each row execute function refuse()`;
    await addJob();
    await waitFor(
      async () => {
        const [seen] = await sql<{ tries: number }[]>`select last_value::int as tries from tries`;
        return seen!.tries >= 2 * round;
      },
      { what: `job ${round} to be ended in vain twice`, timeoutMs: 20_000 },
    );
    await sql`drop trigger refuse on graphile_worker._private_jobs`;
    await waitFor(
      async () => {
        const [jobs] = await sql<{ left: number }[]>`select count(*)::int as left from graphile_worker.jobs`;
        return jobs!.left === 0;
      },
      { what: `the end of job ${round}`, timeoutMs: 20_000 },
    );
    expect(taken).toHaveLength(round);
  }
  expect(ended).toEqual([]);
}, 60_000);

test("a connection that is lost while the runner stops, or after that, does not end the process", async () => {
  const lost: Error[] = [];
  const clone = await cloneDatabase();
  await using _ = clone;
  const pool = createQueuePool({ url: clone.url, max: 1, onLost: (error) => lost.push(error) });
  const client = await pool.connect();
  const closing = pool.end();
  const sql = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`;
  await sql.end();
  await waitFor(() => lost.length > 0, { what: "the loss of the connection" });
  client.release();
  expect(await closing).toBeUndefined();
});
