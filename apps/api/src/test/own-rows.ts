import { otherOwners } from "@reports/testing";
import type { Sql } from "postgres";

const others = [...otherOwners];

/** Counts the records that the test has made. */
export async function countRows(sql: Sql): Promise<{ reports: number; jobs: number }> {
  const [row] = await sql<{ reports: number; jobs: number }[]>`
    select (select count(*)::int from reports where requested_by <> all (${others})) as reports,
      (select count(*)::int from report_queue.jobs) as jobs`;
  return row!;
}

/** Removes the records that tests have made, and all jobs. Those of other owners stay. */
export async function removeRows(sql: Sql): Promise<void> {
  await sql`delete from report_queue_quick._private_jobs`;
  await sql`delete from report_schedules where owner <> all (${others})`;
  await sql`delete from webhooks where owner <> all (${others})`;
  await sql`delete from reports where requested_by <> all (${others})`;
  await sql`truncate idempotency_keys, rate_windows`;
}
