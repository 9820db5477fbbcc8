import { otherOwnerPrincipals } from "@reports/testing";
import type { Sql } from "postgres";

const otherOwnerIds = [...otherOwnerPrincipals];

/** Counts all jobs, and all reports except those of other owners, which startApiUnderTest puts into the database unless `otherOwners` is false. */
export async function countReportsAndJobs(sql: Sql): Promise<{ reports: number; jobs: number }> {
  const [row] = await sql<{ reports: number; jobs: number }[]>`
    select (select count(*)::int from reports where requested_by <> all (${otherOwnerIds})) as reports,
      (select count(*)::int from report_queue.jobs) as jobs`;
  return row!;
}

/** Deletes all jobs, and all records except those of other owners. */
export async function removeTestRecords(sql: Sql): Promise<void> {
  await sql`delete from report_queue_quick._private_jobs`;
  await sql`delete from report_queue_bulk._private_jobs`;
  await sql`delete from report_schedules where owner <> all (${otherOwnerIds})`;
  await sql`delete from webhooks where owner <> all (${otherOwnerIds})`;
  await sql`delete from reports where requested_by <> all (${otherOwnerIds})`;
  await sql`delete from idempotency_keys`;
  await sql`delete from rate_windows`;
}
