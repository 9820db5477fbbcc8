import {
  insertReport,
  insertRowSnapshot,
  change,
  revisionChange,
  insertWebhook,
  insertDelivery,
  testEventValues,
  insertSchedule,
  insertLink,
  insertEvent,
  ownedNeeds,
  type NeededStatements,
} from "./role-powers.fixture.ts";

export const apiNeeds: NeededStatements = [
  ...ownedNeeds,
  () => insertReport("lane", "'bulk'"),
  ({ ended }) =>
    insertReport("file_of, expires_at", `'${ended}', (select expires_at from reports where id = '${ended}')`),
  ({ queued: id }) =>
    `${change("reports", id, `status = 'CANCELLED', finished_at = now(), ${revisionChange}`)}; ${insertEvent(id, "'QUEUED'", "CANCELLED", "basic:bob")}`,
  ({ ended: id }) =>
    `${change("reports", id, `deleted_at = now(), ${revisionChange}`)}; ${insertEvent(id, "'SUCCEEDED'", "DELETED", "basic:bob")}`,
  ({ queued: id }) => change("reports", id, `title = 'x', ${revisionChange}`),
  () => insertWebhook("report_types", "'{REPORTS_ADMIN}', null"),
  ({ webhook: id }) =>
    change("webhooks", id, "status = 'PAUSED', paused_because = 'REQUESTED', revision = revision + 1"),
  ({ webhook: id }) => change("webhooks", id, "failures_in_a_row = 0, failing_since = null, rests_until = null"),
  ({ webhook: id }) => change("webhooks", id, "owner_authorities = '{REPORTS_ADMIN}'"),
  (ids) => insertDelivery(ids, "type, data", testEventValues(ids)),
  ({ delivery: id }) =>
    change("webhook_deliveries", id, "status = 'PENDING', next_try_at = now(), ended_at = null, tries = 0"),
  () => insertSchedule("owner_name", "'Ann'"),
  ({ schedule: id }) => change("report_schedules", id, "confirmed_at = clock_timestamp(), failures_from = now()"),
  ({ schedule: id }) =>
    change("report_schedules", id, "status = 'PAUSED', next_fire_at = null, revision = revision + 1"),
  (ids) => insertLink(ids, "now()", "now() + interval '24 hours'"),
  ({ link: id }) => change("download_links", id, "revoked_at = now()"),
];

export const workerNeeds: NeededStatements = [
  ({ schedule: id }) => `
    insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, schedule_id)
    values (gen_random_uuid(), 'PROXY', 1, 't', 'QUEUED', '{}', '{}', 'issuer|ann', 'waiting', 3, '${id}')`,
  (ids) => insertRowSnapshot(ids, "requested_by", "id"),
  ({ running }) =>
    `${change("reports", running, "status = 'FAILED', worker_id = null, lease_expires_at = null, finished_at = now(), error_code = 'x', error_detail = 'x', error_retryable = false")}; ${insertEvent(running, "'RUNNING'", "FAILED", "worker:w")}`,
  ({ deleted }) => `delete from reports where id = '${deleted}'`,
  ({ schedule: id }) => change("report_schedules", id, "status = 'ENDED', next_fire_at = null, fires = 7"),
  ({ webhook: id }) => change("webhooks", id, "status = 'PAUSED', paused_because = 'GONE'"),
  ({ deletedWebhook: id }) => `delete from webhooks where id = '${id}'`,
];
