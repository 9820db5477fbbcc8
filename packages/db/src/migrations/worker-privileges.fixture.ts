import {
  uncheckedPrivilege,
  ownedTablePrivileges,
  insertReportSql,
  insertRowSnapshotSql,
  updateSql,
  insertReportEventSql,
  type TablePrivileges,
} from "./role-powers.fixture.ts";

export const workerPrivileges: Readonly<Record<string, TablePrivileges>> = {
  ...ownedTablePrivileges.worker,
  reports: {
    select: "all",
    insert: {
      attacks: [
        () => insertReportSql("lane", "'quick'"),
        ({ schedule: id }) => insertReportSql("schedule_id", `'${id}'`),
        (ids) => insertRowSnapshotSql(ids, "'basic:bob'", "id"),
        (ids) => insertRowSnapshotSql(ids, "requested_by", `'${ids.running}'`),
      ],
      left: "Store a row snapshot, and start reports of active schedules",
    },
    update: [
      {
        columns: [
          "status",
          "started_at",
          "finished_at",
          "updated_at",
          "expires_at",
          "data_as_of",
          "progress_phase",
          "rows_done",
          "rows_total",
          "percent",
          "attempt",
          "failures",
          "row_count",
          "file_id",
          "file_name",
          "file_extension",
          "file_content_type",
          "file_size_bytes",
          "file_sha256",
          "file_columns",
          "file_storage_key",
          "file_stored_version",
          "warnings",
          "warning_codes",
          "error_code",
          "error_detail",
          "error_retryable",
          "revision",
          "lane",
          "losses",
          "hand_backs",
          "first_handed_back_at",
          "handed_back_because",
          "worker_id",
          "lease_expires_at",
          "data_sha256",
          "spool_exceeded_bytes",
        ],
        left: "Change state, progress, file and error of any report",
      },
    ],
    delete: {
      attacks: [
        ({ queued }) => `delete from reports where id = '${queued}'`,
        ({ running }) => `delete from reports where id = '${running}'`,
        ({ ended }) => `delete from reports where id = '${ended}'`,
      ],
      left: "Delete records that have ended",
    },
  },
  report_events: {
    select: "all",
    insert: {
      attacks: [
        ({ queued }) => insertReportEventSql(queued, "'QUEUED'", "CANCELLED", "system"),
        ({ running }) =>
          `${updateSql("reports", running, "percent = 1")}; ${insertReportEventSql(running, "'RUNNING'", "SUCCEEDED", "worker:w")}`,
        ({ running }) =>
          `${updateSql("reports", running, "percent = 1")}; ${insertReportEventSql(running, "'QUEUED'", "RUNNING", "basic:alice")}`,
        ({ running }) =>
          `${updateSql("reports", running, "percent = 1")}; ${insertReportEventSql(running, "'RUNNING'", "DELETED", "system")}`,
        ({ running }) =>
          `${updateSql("reports", running, "percent = 1")}; ${insertReportEventSql(running, "null", "QUEUED", "basic:bob")}`,
      ],
      left: "Change state, progress, file and error of any report",
    },
    delete: uncheckedPrivilege("Delete events"),
  },
  report_schedules: {
    select: "all",
    update: [
      {
        columns: [
          "status",
          "paused_because",
          "next_fire_at",
          "counted_from",
          "tz_version",
          "held_for",
          "fires",
          "revision",
          "updated_at",
        ],
        attacks: [
          ({ pausedSchedule: id }) =>
            updateSql("report_schedules", id, "status = 'ACTIVE', paused_because = null, next_fire_at = now()"),
          ({ schedule: id }) => updateSql("report_schedules", id, "fires = -1"),
        ],
        left: "Choose when a schedule runs next",
      },
    ],
    delete: {
      attacks: [({ schedule: id }) => `delete from report_schedules where id = '${id}'`],
      left: "Delete tombstones",
    },
  },
  report_schedule_fires: {
    select: "all",
    insert: uncheckedPrivilege("Write and delete runs"),
    delete: uncheckedPrivilege("Write and delete runs"),
  },
  webhooks: {
    select: "all",
    update: [
      {
        columns: [
          "status",
          "paused_because",
          "revision",
          "updated_at",
          "hold",
          "held_until",
          "tried_at",
          "retry_next",
          "rests_until",
          "failures_in_a_row",
          "failing_since",
          "last_delivered_at",
          "unreadable_since",
        ],
        attacks: [
          ({ pausedWebhook: id }) => updateSql("webhooks", id, "status = 'ACTIVE', paused_because = null"),
          ({ webhook: id }) => updateSql("webhooks", id, "status = 'PAUSED', paused_because = 'REQUESTED'"),
          ({ pausedWebhook: id }) => updateSql("webhooks", id, "paused_because = 'GONE'"),
        ],
        left: "Pause webhooks, and state results of deliveries",
      },
    ],
    delete: { attacks: [({ webhook: id }) => `delete from webhooks where id = '${id}'`], left: "Delete tombstones" },
  },
  webhook_deliveries: {
    select: "all",
    update: [
      {
        columns: [
          "status",
          "tries",
          "postponed",
          "next_try_at",
          "hold",
          "held_until",
          "last_status",
          "last_error_code",
          "duration_ms",
          "ended_at",
        ],
        left: "Pause webhooks, and state results of deliveries",
      },
    ],
    delete: uncheckedPrivilege("Delete deliveries"),
  },
  download_links: {
    select: ["id", "expires_at"],
    delete: { attacks: [({ link: id }) => `delete from download_links where id = '${id}'`], left: "Delete tombstones" },
  },
  proxies: {
    select: "all",
    delete: { attacks: [({ proxy }) => `delete from proxies where id = '${proxy}'`], left: "Delete tombstones" },
  },
  domains: { select: "all", delete: { attacks: [() => "delete from domains"], left: "Delete tombstones" } },
  users: { select: ["name", "authorities", "disabled_at"] },
  idempotency_keys: { select: "all", delete: uncheckedPrivilege("Delete idempotency keys") },
  rate_windows: {},
  file_suspicions: {
    select: "all",
    insert: uncheckedPrivilege("Change notes of maintenance"),
    update: [{ columns: ["noted_at"], left: "Change notes of maintenance" }],
    delete: uncheckedPrivilege("Change notes of maintenance"),
  },
  file_removals: {
    select: "all",
    insert: uncheckedPrivilege("Change notes of maintenance"),
    update: [{ columns: ["*"], left: "Change notes of maintenance" }],
    delete: uncheckedPrivilege("Change notes of maintenance"),
  },
  damaged_files: { select: "all", insert: uncheckedPrivilege("Change notes of maintenance") },
  store_markers: {
    select: "all",
    insert: uncheckedPrivilege("Name the store's first ID"),
    update: [{ columns: ["adopted_at"], left: "Name the store's first ID" }],
  },
  maintenance_positions: {
    select: "all",
    insert: uncheckedPrivilege("Change notes of maintenance"),
    update: [{ columns: ["*"], left: "Change notes of maintenance" }],
  },
  file_mismatches: {
    select: "all",
    insert: uncheckedPrivilege("Change notes of maintenance"),
    update: [{ columns: ["*"], left: "Change notes of maintenance" }],
    delete: uncheckedPrivilege("Change notes of maintenance"),
  },
  maintenance_turns: {
    select: "all",
    insert: uncheckedPrivilege("Change notes of maintenance"),
    update: [{ columns: ["*"], left: "Change notes of maintenance" }],
    delete: uncheckedPrivilege("Change notes of maintenance"),
  },
  reconciler_log: {
    select: "all",
    insert: uncheckedPrivilege("Change notes of maintenance"),
    update: [{ columns: ["*"], left: "Change notes of maintenance" }],
    delete: uncheckedPrivilege("Change notes of maintenance"),
  },
  worker_heartbeats: {
    select: "all",
    insert: uncheckedPrivilege("Change notes of maintenance"),
    update: [{ columns: ["*"], left: "Change notes of maintenance" }],
    delete: uncheckedPrivilege("Change notes of maintenance"),
  },
};
