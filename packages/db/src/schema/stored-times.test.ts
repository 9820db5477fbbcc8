import { reportLanes, type ReportLane } from "@reports/core/base";
import { createTestDatabases } from "@reports/testing";
import { getTableName } from "drizzle-orm";
import postgres from "postgres";
import { expect, test } from "vitest";
import { ownedCollections } from "../collections/owned-collections.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

const owned = (...times: readonly string[]) =>
  ownedCollections.flatMap(({ table }) => times.map((time) => `${getTableName(table)}.${time}`)).join(" ");

/**
 * How each stored time reacts to a jump of Postgres's clock. Add new columns here. If users notice the reaction, add it to
 * docs/reference/clocks.md. If a jump could stop work, add a test to clock-jumps.test.ts.
 */
const reactions = {
  "shown, or compared with other stored times": `
    domains.cert_not_after domains.cert_not_before domains.configured_at domains.created_at domains.last_checked_at domains.updated_at
    proxies.configured_at proxies.created_at proxies.last_checked_at proxies.updated_at
    download_links.created_at download_links.revoked_at file_removals.noted_at file_suspicions.noted_at report_events.at
    report_schedule_fires.scheduled_for report_schedules.created_at report_schedules.updated_at report_schedules.failures_from
    report_schedules.held_for report_schedules.starts_at report_schedules.ends_at reports.created_at reports.data_as_of reports.started_at
    store_markers.adopted_at store_markers.created_at users.created_at users.disabled_at
    webhook_deliveries.ended_at webhooks.created_at webhooks.updated_at webhooks.begun_at
    worker_heartbeats.started_at worker_heartbeats.stopping_at ${owned("created_at", "updated_at")}`,
  "corrected or ignored if they lie in the future": `
    report_schedules.next_fire_at report_schedules.counted_from maintenance_turns.taken_at rate_windows.hits rate_windows.expires_at reports.first_handed_back_at reports.lease_expires_at
    reports.updated_at webhook_deliveries.created_at webhook_deliveries.held_until webhooks.held_until webhooks.rests_until
    webhooks.tried_at worker_heartbeats.beat_at
    ${reportLanes.map((lane) => jobTimes(lane)).join(" ")}`,
  "promised to a caller, so that a jump back delays them and a jump forward brings them nearer": `
    download_links.expires_at  reports.expires_at
    webhook_deliveries.next_try_at webhooks.previous_secret_ends_at`,
  "delayed by a jump back and brought nearer by a jump forward, where an hour does no harm": `
    damaged_files.confirmed_at domains.deleted_at file_mismatches.first_seen_at file_removals.due_at idempotency_keys.created_at
    proxies.deleted_at reconciler_log.at report_schedule_fires.fired_at report_schedules.confirmed_at report_schedules.deleted_at
    reports.deleted_at reports.finished_at webhooks.confirmed_at webhooks.deleted_at webhooks.failing_since webhooks.last_delivered_at webhooks.unreadable_since ${owned("deleted_at")}`,
};

function jobTimes(lane: ReportLane): string {
  const columns = ["created_at", "locked_at", "run_at", "updated_at"];
  return columns.map((column) => `report_queue_${lane}._private_jobs.${column}`).join(" ");
}

test("each stored time is listed with its reaction to a jump of Postgres's clock", async () => {
  await using clone = await cloneDatabase();
  const sql = postgres(clone.url, { max: 1 });
  const columns = await sql<{ name: string }[]>`
    select attrelid::regclass::text || '.' || attname as name from pg_attribute join pg_class as class on class.oid = attrelid
    where relkind = 'r' and attnum > 0 and not attisdropped and atttypid in ('timestamptz'::regtype, 'timestamptz[]'::regtype)
      and (relnamespace = 'public'::regnamespace or relnamespace::regnamespace::text like 'report\\_queue\\_%' and relname = '_private_jobs')`;
  await sql.end();
  const known = new Set(Object.values(reactions).join(" ").split(/\s+/));
  expect(columns.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  expect(columns.length).toBeGreaterThan(50);
});
