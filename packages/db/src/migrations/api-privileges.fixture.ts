import {
  counterPrivileges,
  uncheckedPrivilege,
  inventoryPrivileges,
  ownedTablePrivileges,
  insertReportSql,
  updateSql,
  nextRevisionSql,
  insertWebhookSql,
  insertDeliverySql,
  testEventValuesSql,
  insertScheduleSql,
  insertDownloadLinkSql,
  insertFileRemovalSql,
  insertReportEventSql,
  type TablePrivileges,
} from "./role-powers.fixture.ts";

export const apiPrivileges: Readonly<Record<string, TablePrivileges>> = {
  ...ownedTablePrivileges.api,
  reports: {
    select: "all",
    insert: {
      attacks: [
        () => insertReportSql("lane", "'suspect'"),
        () => insertReportSql("created_at", "now() - interval '1 year'"),
        () => insertReportSql("revision", "7"),
        () => insertReportSql("attempt", "1"),
        () => insertReportSql("failures", "-9"),
        () => insertReportSql("losses", "1"),
        () => insertReportSql("hand_backs", "1"),
        () => insertReportSql("worker_id, lease_expires_at", "'w', now()"),
        () => insertReportSql("started_at", "now()"),
        () => insertReportSql("finished_at", "now()"),
        () => insertReportSql("deleted_at", "now()"),
        () => insertReportSql("data_sha256", "'x'"),
        () => insertReportSql("data_as_of", "now()"),
        () => insertReportSql("row_count", "1"),
        () => insertReportSql("warnings", "'{x}'"),
        () => insertReportSql("error_code, error_detail, error_retryable", "'INTERNAL', 'x', false"),
        () => insertReportSql("expires_at", "'infinity'"),
        ({ schedule: id }) => insertReportSql("schedule_id", `'${id}'`),
        ({ queued }) => insertReportSql("file_of", `'${queued}'`),
        ({ deleted }) =>
          insertReportSql(
            "file_of, expires_at",
            `'${deleted}', (select expires_at from reports where id = '${deleted}')`,
          ),
        ({ ended }) => insertReportSql("file_of, expires_at", `'${ended}', 'infinity'`),
      ],
      left: "Start a report in anybody's name",
    },
    update: [
      {
        columns: ["status", "finished_at", "worker_id", "lease_expires_at"],
        attacks: [
          ({ queued }) => updateSql("reports", queued, `status = 'RUNNING', ${nextRevisionSql}`),
          ({ queued }) => updateSql("reports", queued, `worker_id = 'w', lease_expires_at = now(), ${nextRevisionSql}`),
          ({ queued }) => updateSql("reports", queued, `finished_at = now(), ${nextRevisionSql}`),
          ({ queued }) => updateSql("reports", queued, `status = 'CANCELLED', finished_at = now(), ${nextRevisionSql}`),
          ({ queued }) =>
            `${updateSql("reports", queued, `status = 'CANCELLED', finished_at = '2000-01-01', ${nextRevisionSql}`)}; ${insertReportEventSql(queued, "'QUEUED'", "CANCELLED", "basic:bob")}`,
          ({ ended }) => updateSql("reports", ended, `status = 'QUEUED', finished_at = null, ${nextRevisionSql}`),
        ],
        left: "Cancel, delete and rename any report",
      },
      {
        columns: ["title", "deleted_at"],
        attacks: [
          ({ deleted }) => updateSql("reports", deleted, `title = 'x', ${nextRevisionSql}`),
          ({ deleted }) => updateSql("reports", deleted, `deleted_at = null, ${nextRevisionSql}`),
          ({ queued }) => updateSql("reports", queued, `deleted_at = now(), ${nextRevisionSql}`),
          ({ queued }) =>
            `${updateSql("reports", queued, `deleted_at = '2000-01-01', ${nextRevisionSql}`)}; ${insertReportEventSql(queued, "'QUEUED'", "DELETED", "basic:bob")}`,
        ],
        left: "Cancel, delete and rename any report",
      },
      {
        columns: ["updated_at", "revision"],
        attacks: [
          ({ queued }) => updateSql("reports", queued, "revision = 1, updated_at = now()"),
          ({ queued }) => updateSql("reports", queued, "revision = revision, updated_at = now()"),
          ({ queued }) => updateSql("reports", queued, "revision = revision + 1, updated_at = '2000-01-01'"),
        ],
        left: "Cancel, delete and rename any report",
      },
    ],
  },
  report_events: {
    select: "all",
    insert: {
      attacks: [
        ({ queued }) => insertReportEventSql(queued, "'QUEUED'", "CANCELLED", "basic:bob"),
        ({ queued }) => insertReportEventSql(queued, "null", "QUEUED", "basic:bob"),
        ({ running }) => insertReportEventSql(running, "'RUNNING'", "SUCCEEDED", "worker:w"),
      ],
      left: "Cancel, delete and rename any report",
    },
  },
  webhooks: {
    select: "all",
    insert: {
      attacks: [
        () => insertWebhookSql("revision", "'{}', 9"),
        () => insertWebhookSql("created_at", "'{}', '2000-01-01'"),
        () => insertWebhookSql("confirmed_at", "'{}', 'infinity'"),
        () => insertWebhookSql("previous_secret, previous_secret_ends_at", "'{}', 'x', 'infinity'"),
        () => insertWebhookSql("earlier_secrets", `'{}', '[{"secret": "x", "endsAt": "2999-01-01"}]'`),
        () => insertWebhookSql("failures_in_a_row", "'{}', -1"),
        () => insertWebhookSql("failing_since", "'{}', now()"),
        () => insertWebhookSql("last_delivered_at", "'{}', now()"),
        () => insertWebhookSql("rests_until", "'{}', 'infinity'"),
        () => insertWebhookSql("tried_at", "'{}', 'infinity'"),
        () => insertWebhookSql("unreadable_since", "'{}', now()"),
        () => insertWebhookSql("deleted_at", "'{}', now()"),
        () => insertWebhookSql("status, paused_because", "'{}', 'PAUSED', 'GONE'"),
        () => insertWebhookSql("report_types", "'{REPORTS_ADMIN}', null", "basic:alice"),
      ],
      left: "Make a webhook in anybody's name",
    },
    update: [
      {
        columns: [
          "url",
          "events",
          "report_types",
          "of_whom",
          "secret",
          "previous_secret",
          "previous_secret_ends_at",
          "earlier_secrets",
        ],
        left: "Change any webhook",
      },
      {
        columns: ["owner_authorities", "confirmed_at"],
        attacks: [({ userWebhook: id }) => updateSql("webhooks", id, "owner_authorities = '{REPORTS_ADMIN}'")],
        left: "State the authorities of an owner of an issuer",
      },
      {
        columns: ["status", "paused_because", "rests_until", "begun_at", "failures_in_a_row", "failing_since"],
        attacks: [
          ({ webhook: id }) => updateSql("webhooks", id, "status = 'PAUSED', paused_because = 'GONE'"),
          ({ webhook: id }) => updateSql("webhooks", id, "failures_in_a_row = 99"),
          ({ webhook: id }) => updateSql("webhooks", id, "failing_since = '2000-01-01'"),
        ],
        left: "Change any webhook",
      },
      {
        columns: ["revision", "updated_at", "deleted_at"],
        attacks: [
          ({ webhook: id }) => updateSql("webhooks", id, "revision = 99"),
          ({ deletedWebhook: id }) => updateSql("webhooks", id, "deleted_at = null"),
        ],
        left: "Change any webhook",
      },
    ],
  },
  webhook_deliveries: {
    select: "all",
    insert: {
      attacks: [
        (ids) => insertDeliverySql(ids, "type, data", `'report.succeeded', '{"webhookId": "${ids.webhook}"}'`),
        (ids) => insertDeliverySql(ids, "type, data", `'webhook.test', '{"id": "${ids.ended}"}'`),
        (ids) => insertDeliverySql(ids, "type, data, report_id", `${testEventValuesSql(ids)}, '${ids.ended}'`),
        (ids) => insertDeliverySql(ids, "type, data, tries", `${testEventValuesSql(ids)}, -9`),
        (ids) => insertDeliverySql(ids, "type, data, last_status", `${testEventValuesSql(ids)}, 200`),
        (ids) => insertDeliverySql(ids, "type, data, created_at", `${testEventValuesSql(ids)}, '2000-01-01'`),
        (ids) =>
          insertDeliverySql(
            ids,
            "type, data, hold, held_until",
            `${testEventValuesSql(ids)}, gen_random_uuid(), 'infinity'`,
          ),
      ],
      left: "Queue a test, or an event again",
    },
    update: [
      {
        columns: ["status", "tries", "postponed", "next_try_at", "ended_at"],
        attacks: [
          ({ delivery: id }) =>
            updateSql("webhook_deliveries", id, "status = 'DELIVERED', next_try_at = null, ended_at = now()"),
          ({ delivery: id }) => updateSql("webhook_deliveries", id, "status = 'DROPPED', next_try_at = null"),
          ({ delivery: id }) =>
            updateSql("webhook_deliveries", id, "status = 'PENDING', next_try_at = now(), ended_at = null, tries = 7"),
        ],
        left: "Queue a test, or an event again",
      },
    ],
  },
  report_schedules: {
    select: "all",
    insert: {
      attacks: [
        () => insertScheduleSql("revision", "9"),
        () => insertScheduleSql("fires", "9"),
        () => insertScheduleSql("created_at", "'2000-01-01'"),
        () => insertScheduleSql("confirmed_at", "'infinity'"),
        () => insertScheduleSql("failures_from", "'infinity'"),
        () => insertScheduleSql("held_for", "now()"),
        () => insertScheduleSql("deleted_at", "now()"),
        () => insertScheduleSql("paused_because", "'KEEPS_FAILING'"),
      ],
      left: "Make a schedule in anybody's name",
    },
    update: [
      {
        columns: [
          "name",
          "definition_version",
          "search_param",
          "options",
          "cron",
          "timezone",
          "starts_at",
          "ends_at",
          "missed",
          "missed_within_seconds",
          "overlap",
          "next_fire_at",
          "counted_from",
          "tz_version",
          "held_for",
          "owner_name",
        ],
        left: "Change any schedule",
      },
      {
        columns: ["status", "paused_because", "confirmed_at", "failures_from"],
        attacks: [
          ({ schedule: id }) =>
            updateSql(
              "report_schedules",
              id,
              "status = 'PAUSED', paused_because = 'KEEPS_FAILING', next_fire_at = null",
            ),
          ({ schedule: id }) => updateSql("report_schedules", id, "confirmed_at = 'infinity'"),
          ({ schedule: id }) => updateSql("report_schedules", id, "failures_from = 'infinity'"),
        ],
        left: "Confirm the owner of any schedule",
      },
      {
        columns: ["revision", "updated_at", "deleted_at"],
        attacks: [({ schedule: id }) => updateSql("report_schedules", id, "revision = 99")],
        left: "Change any schedule",
      },
    ],
  },
  report_schedule_fires: {
    select: "all",
    insert: {
      attacks: [
        ({ schedule: id }) =>
          `insert into report_schedule_fires (id, schedule_id, scheduled_for, outcome) values (gen_random_uuid(), '${id}', now(), 'SKIPPED')`,
        ({ schedule: id, queued }) =>
          `insert into report_schedule_fires (id, schedule_id, scheduled_for, outcome, report_id) values (gen_random_uuid(), '${id}', now(), 'STARTED', '${queued}')`,
      ],
      left: null,
    },
  },
  download_links: {
    select: "all",
    insert: {
      attacks: [
        (ids) => insertDownloadLinkSql(ids, "now()", "now() + interval '10 years'"),
        (ids) => insertDownloadLinkSql(ids, "now() + interval '10 years'", "now() + interval '10 years'"),
        (ids) => insertDownloadLinkSql(ids, "now() - interval '2 days'", "now() - interval '2 days'"),
        (ids) => insertDownloadLinkSql(ids, "now()", "now()", "now()"),
      ],
      left: "Make a link in anybody's name",
    },
    update: [
      {
        columns: ["revoked_at"],
        attacks: [({ revokedLink: id }) => updateSql("download_links", id, "revoked_at = null")],
        left: "Revoke any link",
      },
    ],
  },
  proxies: inventoryPrivileges,
  domains: inventoryPrivileges,
  idempotency_keys: counterPrivileges,
  rate_windows: counterPrivileges,
  file_suspicions: { insert: uncheckedPrivilege("Ask for a check of any file") },
  file_removals: {
    select: "all",
    insert: { attacks: [() => insertFileRemovalSql], left: "List a file as deleted" },
    delete: { attacks: [() => "delete from file_removals where reason = 'expired'"], left: "List a file as deleted" },
  },
  users: { select: "all" },
  store_markers: { select: "all" },
  damaged_files: {},
  file_mismatches: {},
  maintenance_positions: {},
  maintenance_turns: {},
  reconciler_log: {},
  worker_heartbeats: {},
};
