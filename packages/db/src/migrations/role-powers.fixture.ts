import { getTableName } from "drizzle-orm";
import { ownedCollections, toOwnedTableMapping, type OwnedCollectionEntry } from "../collections/owned-collections.ts";
import { updatableColumnNames } from "../collections/owned-store.ts";

export interface AttackTargetIds {
  readonly queued: string;
  readonly running: string;
  readonly ended: string;
  readonly deleted: string;
  readonly schedule: string;
  readonly pausedSchedule: string;
  readonly webhook: string;
  readonly userWebhook: string;
  readonly pausedWebhook: string;
  readonly deletedWebhook: string;
  readonly delivery: string;
  readonly link: string;
  readonly revokedLink: string;
  readonly proxy: string;
}

/**
 * A right of a role to one kind of statement on a table. `attacks` are statements that misuse the right; Postgres must refuse them or change no
 * row. `left` names the misuse that remains possible, as in a row of docs/reference/database-roles.md; null if there is none.
 */
export interface TablePrivilege {
  readonly attacks?: readonly ((ids: AttackTargetIds) => string)[];
  readonly left: string | null;
}

/** Statements that a role must be able to run. An attack on the same power differs from one of these in one detail. */
export type RequiredStatements = readonly ((ids: AttackTargetIds) => string)[];

export interface TablePrivileges {
  readonly select?: "all" | readonly string[];
  readonly insert?: TablePrivilege;
  readonly delete?: TablePrivilege;
  readonly update?: readonly (TablePrivilege & { readonly columns: readonly string[] })[];
}

/** Functions that each role may call and that run with their owner's rights. Functions that every user may call are not listed. */
export const callableFunctions = {
  api: [
    "enqueue_reports",
    "remove_report_jobs",
    "report_queue_state",
    "report_types_served",
    "report_workers",
    "webhook_keys_held",
  ],
  worker: ["add_webhook_deliveries", "enqueue_reports", "remove_report_jobs", "report_queue_state"],
} as const;

export const uncheckedPrivilege = (left: string): TablePrivilege => ({ left });
export const inventoryPrivileges: TablePrivileges = {
  select: "all",
  insert: uncheckedPrivilege("Change the inventory"),
  update: [{ columns: ["*"], left: "Change the inventory" }],
};

const anyOwnerText = "Change the records of any owner";

export const ownedTablePrivileges = {
  api: powersOfOwned((table, entry) => ({
    select: "all",
    insert: {
      attacks: ["'revision', 2", "'deleted_at', now()", "'created_at', '2020-01-01'"].map(
        (values) => () => copyOwned(table, values),
      ),
      left: anyOwnerText,
    },
    update: [
      {
        columns: updatableColumnNames(toOwnedTableMapping(entry)),
        attacks: [
          () => changeOwned(table, "deleted_at = null, revision = revision + 1", "deleted_at is not null"),
          () => changeOwned(table, "revision = revision + 2", "deleted_at is null"),
        ],
        left: anyOwnerText,
      },
    ],
  })),
  worker: powersOfOwned((table) => ({
    select: "all",
    delete: { attacks: [() => `delete from ${table} where deleted_at is null`], left: "Delete tombstones" },
  })),
};

export const ownedRequiredStatements: RequiredStatements = Object.keys(ownedTablePrivileges.api).flatMap((table) => [
  () => copyOwned(table, "'revision', 1"),
  () => changeOwned(table, "revision = revision + 1, updated_at = now(), deleted_at = now()", "deleted_at is null"),
]);

function powersOfOwned(
  powersOf: (table: string, entry: OwnedCollectionEntry) => TablePrivileges,
): Readonly<Record<string, TablePrivileges>> {
  const tables = ownedCollections.map((entry) => [getTableName(entry.table), entry] as const);
  return Object.fromEntries(tables.map(([table, entry]) => [table, powersOf(table, entry)]));
}

function copyOwned(table: string, values: string): string {
  const fresh = "'id', gen_random_uuid(), 'revision', 1, 'created_at', now(), 'updated_at', now(), 'deleted_at', null";
  const record = `jsonb_populate_record(one, jsonb_build_object(${fresh}, ${values}))`;
  return `insert into ${table} select (${record}).* from ${table} as one limit 1`;
}

function changeOwned(table: string, set: string, where: string): string {
  return `update ${table} set ${set} where id = (select id from ${table} where ${where} limit 1)`;
}

export const insertReportSql = (columns: string, values: string) => `
  insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, ${columns})
  values (gen_random_uuid(), 'PROXY', 1, 't', 'QUEUED', '{}', '{}', 'basic:alice', 'waiting', 3, ${values})`;
export const insertRowSnapshotSql = (ids: AttackTargetIds, requestedBy: string, fileOf: string) => `
  insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, attempt,
    file_of, holds_rows, file_id, file_name, file_extension, file_content_type, file_size_bytes, file_sha256, file_columns, file_storage_key, row_count,
    data_as_of, expires_at, finished_at)
  select gen_random_uuid(), report_type, 1, 't', 'SUCCEEDED', '{}', '{}', ${requestedBy}, 'done', 3, attempt,
    ${fileOf}, true, gen_random_uuid(), 'a', 'a', 'a', 1, 'a', '{}', 'reports/x/' || gen_random_uuid(), 0, now(), now(), now()
  from reports where id = '${ids.ended}'`;
export const updateSql = (table: string, id: string, set: string) => `update ${table} set ${set} where id = '${id}'`;
export const nextRevisionSql = "revision = revision + 1, updated_at = now()";
export const insertWebhookSql = (columns: string, values: string, owner = "issuer|eve") => `
  insert into webhooks (id, owner, url, events, of_whom, secret, owner_authorities, ${columns})
  values (gen_random_uuid(), '${owner}', 'https://a', '{}', 'OWN', 'x', ${values})`;
export const insertDeliverySql = (ids: AttackTargetIds, columns: string, values: string) => `
  insert into webhook_deliveries (id, webhook_id, event_id, next_try_at, ${columns})
  values (gen_random_uuid(), '${ids.webhook}', gen_random_uuid(), now(), ${values})`;
export const testEventValuesSql = (ids: AttackTargetIds) => `'webhook.test', '{"webhookId": "${ids.webhook}"}'`;
export const insertScheduleSql = (columns: string, values: string) => `
  insert into report_schedules (id, name, report_type, definition_version, search_param, options, cron, timezone, counted_from, missed,
    missed_within_seconds, overlap, tz_version, owner, next_fire_at, status, ${columns})
  values (gen_random_uuid(), 'n', 'PROXY', 1, '{}', '{}', '0 0 1 1 *', 'UTC', now(), 'SKIP', 60, 'SKIP', '2026a', 'issuer|ann', now(), 'ACTIVE', ${values})`;
export const insertDownloadLinkSql = (ids: AttackTargetIds, created: string, expires: string, more = "null") => `
  insert into download_links (id, token_hash, report_id, file_id, created_by, created_at, expires_at, revoked_at)
  values (gen_random_uuid(), gen_random_uuid()::text, '${ids.ended}', gen_random_uuid(), 'basic:bob', ${created}, ${expires}, ${more})`;
export const insertReportEventSql = (id: string, from: string, to: string, actor: string) => `
  insert into report_events (report_id, from_status, to_status, attempt, actor)
  select id, ${from}, '${to}', attempt, '${actor}' from reports where id = '${id}'`;

/** Privileges on tables that only count: limits of rates and idempotency keys. */
export const counterPrivileges: TablePrivileges = {
  select: "all",
  insert: uncheckedPrivilege("Change limits and idempotency keys"),
  update: [{ columns: ["*"], left: "Change limits and idempotency keys" }],
  delete: uncheckedPrivilege("Change limits and idempotency keys"),
};

export const insertFileRemovalSql =
  "insert into file_removals (storage_key, reason, due_at) values ('reports/x/1-a.csv', 'no-record', now())";
