import {
  uncheckedPower,
  inventoryPowers,
  ownedPowers,
  insertReport,
  change,
  revisionChange,
  insertWebhook,
  insertDelivery,
  testEventValues,
  insertSchedule,
  insertLink,
  insertEvent,
  type TablePowers,
} from "./role-powers.fixture.ts";

const counterPowers: TablePowers = {
  select: "all",
  insert: uncheckedPower("Change limits and idempotency keys"),
  update: [{ columns: ["*"], left: "Change limits and idempotency keys" }],
  delete: uncheckedPower("Change limits and idempotency keys"),
};

export const apiPowers: Readonly<Record<string, TablePowers>> = {
  ...ownedPowers.api,
  reports: {
    select: "all",
    insert: {
      attacks: [
        () => insertReport("lane", "'suspect'"),
        () => insertReport("created_at", "now() - interval '1 year'"),
        () => insertReport("revision", "7"),
        () => insertReport("attempt", "1"),
        () => insertReport("failures", "-9"),
        () => insertReport("losses", "1"),
        () => insertReport("hand_backs", "1"),
        () => insertReport("worker_id, lease_expires_at", "'w', now()"),
        () => insertReport("started_at", "now()"),
        () => insertReport("finished_at", "now()"),
        () => insertReport("deleted_at", "now()"),
        () => insertReport("data_sha256", "'x'"),
        () => insertReport("data_as_of", "now()"),
        () => insertReport("row_count", "1"),
        () => insertReport("warnings", "'{x}'"),
        () => insertReport("error_code, error_detail, error_retryable", "'INTERNAL', 'x', false"),
        () => insertReport("expires_at", "'infinity'"),
        ({ schedule: id }) => insertReport("schedule_id", `'${id}'`),
        ({ queued }) => insertReport("file_of", `'${queued}'`),
        ({ deleted }) =>
          insertReport("file_of, expires_at", `'${deleted}', (select expires_at from reports where id = '${deleted}')`),
        ({ ended }) => insertReport("file_of, expires_at", `'${ended}', 'infinity'`),
      ],
      left: "Start a report in anybody's name",
    },
    update: [
      {
        columns: ["status", "finished_at", "worker_id", "lease_expires_at"],
        attacks: [
          ({ queued }) => change("reports", queued, `status = 'RUNNING', ${revisionChange}`),
          ({ queued }) => change("reports", queued, `worker_id = 'w', lease_expires_at = now(), ${revisionChange}`),
          ({ queued }) => change("reports", queued, `finished_at = now(), ${revisionChange}`),
          ({ queued }) => change("reports", queued, `status = 'CANCELLED', finished_at = now(), ${revisionChange}`),
          ({ queued }) =>
            `${change("reports", queued, `status = 'CANCELLED', finished_at = '2000-01-01', ${revisionChange}`)}; ${insertEvent(queued, "'QUEUED'", "CANCELLED", "basic:bob")}`,
          ({ ended }) => change("reports", ended, `status = 'QUEUED', finished_at = null, ${revisionChange}`),
        ],
        left: "Cancel, delete and rename any report",
      },
      {
        columns: ["title", "deleted_at"],
        attacks: [
          ({ deleted }) => change("reports", deleted, `title = 'x', ${revisionChange}`),
          ({ deleted }) => change("reports", deleted, `deleted_at = null, ${revisionChange}`),
          ({ queued }) => change("reports", queued, `deleted_at = now(), ${revisionChange}`),
          ({ queued }) =>
            `${change("reports", queued, `deleted_at = '2000-01-01', ${revisionChange}`)}; ${insertEvent(queued, "'QUEUED'", "DELETED", "basic:bob")}`,
        ],
        left: "Cancel, delete and rename any report",
      },
      {
        columns: ["updated_at", "revision"],
        attacks: [
          ({ queued }) => change("reports", queued, "revision = 1, updated_at = now()"),
          ({ queued }) => change("reports", queued, "revision = revision, updated_at = now()"),
          ({ queued }) => change("reports", queued, "revision = revision + 1, updated_at = '2000-01-01'"),
        ],
        left: "Cancel, delete and rename any report",
      },
    ],
  },
  report_events: {
    select: "all",
    insert: {
      attacks: [
        ({ queued }) => insertEvent(queued, "'QUEUED'", "CANCELLED", "basic:bob"),
        ({ queued }) => insertEvent(queued, "null", "QUEUED", "basic:bob"),
        ({ running }) => insertEvent(running, "'RUNNING'", "SUCCEEDED", "worker:w"),
      ],
      left: "Cancel, delete and rename any report",
    },
  },
  webhooks: {
    select: "all",
    insert: {
      attacks: [
        () => insertWebhook("revision", "'{}', 9"),
        () => insertWebhook("created_at", "'{}', '2000-01-01'"),
        () => insertWebhook("confirmed_at", "'{}', 'infinity'"),
        () => insertWebhook("previous_secret, previous_secret_ends_at", "'{}', 'x', 'infinity'"),
        () => insertWebhook("earlier_secrets", `'{}', '[{"secret": "x", "endsAt": "2999-01-01"}]'`),
        () => insertWebhook("failures_in_a_row", "'{}', -1"),
        () => insertWebhook("failing_since", "'{}', now()"),
        () => insertWebhook("last_delivered_at", "'{}', now()"),
        () => insertWebhook("rests_until", "'{}', 'infinity'"),
        () => insertWebhook("tried_at", "'{}', 'infinity'"),
        () => insertWebhook("unreadable_since", "'{}', now()"),
        () => insertWebhook("deleted_at", "'{}', now()"),
        () => insertWebhook("status, paused_because", "'{}', 'PAUSED', 'GONE'"),
        () => insertWebhook("report_types", "'{REPORTS_ADMIN}', null", "basic:alice"),
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
        attacks: [({ userWebhook: id }) => change("webhooks", id, "owner_authorities = '{REPORTS_ADMIN}'")],
        left: "State the authorities of an owner of an issuer",
      },
      {
        columns: ["status", "paused_because", "rests_until", "begun_at", "failures_in_a_row", "failing_since"],
        attacks: [
          ({ webhook: id }) => change("webhooks", id, "status = 'PAUSED', paused_because = 'GONE'"),
          ({ webhook: id }) => change("webhooks", id, "failures_in_a_row = 99"),
          ({ webhook: id }) => change("webhooks", id, "failing_since = '2000-01-01'"),
        ],
        left: "Change any webhook",
      },
      {
        columns: ["revision", "updated_at", "deleted_at"],
        attacks: [
          ({ webhook: id }) => change("webhooks", id, "revision = 99"),
          ({ deletedWebhook: id }) => change("webhooks", id, "deleted_at = null"),
        ],
        left: "Change any webhook",
      },
    ],
  },
  webhook_deliveries: {
    select: "all",
    insert: {
      attacks: [
        (ids) => insertDelivery(ids, "type, data", `'report.succeeded', '{"webhookId": "${ids.webhook}"}'`),
        (ids) => insertDelivery(ids, "type, data", `'webhook.test', '{"id": "${ids.ended}"}'`),
        (ids) => insertDelivery(ids, "type, data, report_id", `${testEventValues(ids)}, '${ids.ended}'`),
        (ids) => insertDelivery(ids, "type, data, tries", `${testEventValues(ids)}, -9`),
        (ids) => insertDelivery(ids, "type, data, last_status", `${testEventValues(ids)}, 200`),
        (ids) => insertDelivery(ids, "type, data, created_at", `${testEventValues(ids)}, '2000-01-01'`),
        (ids) =>
          insertDelivery(ids, "type, data, hold, held_until", `${testEventValues(ids)}, gen_random_uuid(), 'infinity'`),
      ],
      left: "Queue a test, or an event again",
    },
    update: [
      {
        columns: ["status", "tries", "postponed", "next_try_at", "ended_at"],
        attacks: [
          ({ delivery: id }) =>
            change("webhook_deliveries", id, "status = 'DELIVERED', next_try_at = null, ended_at = now()"),
          ({ delivery: id }) => change("webhook_deliveries", id, "status = 'DROPPED', next_try_at = null"),
          ({ delivery: id }) =>
            change("webhook_deliveries", id, "status = 'PENDING', next_try_at = now(), ended_at = null, tries = 7"),
        ],
        left: "Queue a test, or an event again",
      },
    ],
  },
  report_schedules: {
    select: "all",
    insert: {
      attacks: [
        () => insertSchedule("revision", "9"),
        () => insertSchedule("fires", "9"),
        () => insertSchedule("created_at", "'2000-01-01'"),
        () => insertSchedule("confirmed_at", "'infinity'"),
        () => insertSchedule("failures_from", "'infinity'"),
        () => insertSchedule("held_for", "now()"),
        () => insertSchedule("deleted_at", "now()"),
        () => insertSchedule("paused_because", "'KEEPS_FAILING'"),
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
            change("report_schedules", id, "status = 'PAUSED', paused_because = 'KEEPS_FAILING', next_fire_at = null"),
          ({ schedule: id }) => change("report_schedules", id, "confirmed_at = 'infinity'"),
          ({ schedule: id }) => change("report_schedules", id, "failures_from = 'infinity'"),
        ],
        left: "Confirm the owner of any schedule",
      },
      {
        columns: ["revision", "updated_at", "deleted_at"],
        attacks: [({ schedule: id }) => change("report_schedules", id, "revision = 99")],
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
        (ids) => insertLink(ids, "now()", "now() + interval '10 years'"),
        (ids) => insertLink(ids, "now() + interval '10 years'", "now() + interval '10 years'"),
        (ids) => insertLink(ids, "now() - interval '2 days'", "now() - interval '2 days'"),
        (ids) => insertLink(ids, "now()", "now()", "now()"),
      ],
      left: "Make a link in anybody's name",
    },
    update: [
      {
        columns: ["revoked_at"],
        attacks: [({ revokedLink: id }) => change("download_links", id, "revoked_at = null")],
        left: "Revoke any link",
      },
    ],
  },
  proxies: inventoryPowers,
  domains: inventoryPowers,
  idempotency_keys: counterPowers,
  rate_windows: counterPowers,
  file_suspicions: { insert: uncheckedPower("Ask for a check of any file") },
  file_removals: {
    select: "all",
    insert: {
      attacks: [
        () =>
          "insert into file_removals (storage_key, reason, due_at) values ('reports/x/1-a.csv', 'no-record', now())",
      ],
      left: "List a file as deleted",
    },
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
