import {
  insertReportSql,
  insertRowSnapshotSql,
  updateSql,
  nextRevisionSql,
  insertWebhookSql,
  insertDeliverySql,
  testEventValuesSql,
  insertScheduleSql,
  insertDownloadLinkSql,
  insertReportEventSql,
  ownedRequiredStatements,
  type RequiredStatements,
} from "./role-powers.fixture.ts";

export const apiRequiredStatements: RequiredStatements = [
  ...ownedRequiredStatements,
  () => insertReportSql("lane", "'bulk'"),
  ({ ended }) =>
    insertReportSql("file_of, expires_at", `'${ended}', (select expires_at from reports where id = '${ended}')`),
  ({ queued: id }) =>
    `${updateSql("reports", id, `status = 'CANCELLED', finished_at = now(), ${nextRevisionSql}`)}; ${insertReportEventSql(id, "'QUEUED'", "CANCELLED", "basic:bob")}`,
  ({ ended: id }) =>
    `${updateSql("reports", id, `deleted_at = now(), ${nextRevisionSql}`)}; ${insertReportEventSql(id, "'SUCCEEDED'", "DELETED", "basic:bob")}`,
  ({ queued: id }) => updateSql("reports", id, `title = 'x', ${nextRevisionSql}`),
  () => insertWebhookSql("report_types", "'{REPORTS_ADMIN}', null"),
  ({ webhook: id }) =>
    updateSql("webhooks", id, "status = 'PAUSED', paused_because = 'REQUESTED', revision = revision + 1"),
  ({ webhook: id }) => updateSql("webhooks", id, "failures_in_a_row = 0, failing_since = null, rests_until = null"),
  ({ webhook: id }) => updateSql("webhooks", id, "owner_authorities = '{REPORTS_ADMIN}'"),
  (ids) => insertDeliverySql(ids, "type, data", testEventValuesSql(ids)),
  ({ delivery: id }) =>
    updateSql("webhook_deliveries", id, "status = 'PENDING', next_try_at = now(), ended_at = null, tries = 0"),
  () => insertScheduleSql("owner_name", "'Ann'"),
  ({ schedule: id }) => updateSql("report_schedules", id, "confirmed_at = clock_timestamp(), failures_from = now()"),
  ({ schedule: id }) =>
    updateSql("report_schedules", id, "status = 'PAUSED', next_fire_at = null, revision = revision + 1"),
  (ids) => insertDownloadLinkSql(ids, "now()", "now() + interval '24 hours'"),
  ({ link: id }) => updateSql("download_links", id, "revoked_at = now()"),
];

export const workerRequiredStatements: RequiredStatements = [
  ({ schedule: id }) => `
    insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, schedule_id)
    values (gen_random_uuid(), 'PROXY', 1, 't', 'QUEUED', '{}', '{}', 'issuer|ann', 'waiting', 3, '${id}')`,
  (ids) => insertRowSnapshotSql(ids, "requested_by", "id"),
  ({ running }) =>
    `${updateSql("reports", running, "status = 'FAILED', worker_id = null, lease_expires_at = null, finished_at = now(), error_code = 'x', error_detail = 'x', error_retryable = false")}; ${insertReportEventSql(running, "'RUNNING'", "FAILED", "worker:w")}`,
  ({ deleted }) => `delete from reports where id = '${deleted}'`,
  ({ schedule: id }) => updateSql("report_schedules", id, "status = 'ENDED', next_fire_at = null, fires = 7"),
  ({ webhook: id }) => updateSql("webhooks", id, "status = 'PAUSED', paused_because = 'GONE'"),
  ({ deletedWebhook: id }) => `delete from webhooks where id = '${id}'`,
];
