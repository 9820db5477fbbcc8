import postgres from "postgres";

/** Two owners of records that no test uses as a caller: a local user and an account of an OIDC issuer. */
export const otherOwnerPrincipals = ["basic:other-owner", "https://issuer.example|other-owner"] as const;

/**
 * Adds records of `otherOwners` to a migrated database: reports in every state, schedules, webhooks, deliveries and links, active and deleted. If a
 * query lacks its condition on the owner, it returns these records too, and its test fails. If a test changes these records, dropping its database
 * fails. Returns false if the database has no table of reports.
 */
export async function addRecordsOfOtherOwners(databaseUrl: string): Promise<boolean> {
  return inDatabase(databaseUrl, async (sql) => {
    const [found] = await sql<{ reports: string | null }[]>`select to_regclass('public.reports') as reports`;
    if (found!.reports === null) return false;
    await sql.begin(async (tx) => {
      for (const owner of otherOwnerPrincipals) {
        await addSchedules(tx, owner);
        await addReports(tx, owner);
        await addWebhooks(tx, owner);
        for (const table of await readOwnedTables(tx))
          for (const deleted of [false, true]) await addOwnedRow(tx, table, owner, deleted ? "now()" : "null");
      }
    });
    return true;
  });
}

export async function digestRecordsOfOtherOwners(databaseUrl: string): Promise<Readonly<Record<string, string>>> {
  const digestAll = async (sql: postgres.Sql) => {
    const owners = sql([...otherOwnerPrincipals]);
    const rows = await sql<{ table: string; digest: string }[]>`
      with own_reports as (select * from reports where requested_by in ${owners}),
        own_schedules as (select * from report_schedules where owner in ${owners}),
        own_webhooks as (select * from webhooks where owner in ${owners})
      select "table", md5(string_agg(row, '' order by row)) as digest from (
        select 'reports' as "table", own_reports::text as row from own_reports
        union all select 'report_events', event::text from report_events as event where report_id in (select id from own_reports)
        union all select 'report_schedules', own_schedules::text from own_schedules
        union all select 'report_schedule_fires', fire::text from report_schedule_fires as fire where schedule_id in (select id from own_schedules)
        union all select 'webhooks', own_webhooks::text from own_webhooks
        union all select 'webhook_deliveries', delivery::text from webhook_deliveries as delivery where webhook_id in (select id from own_webhooks)
        union all select 'download_links', link::text from download_links as link where created_by in ${owners}
      ) as records group by "table"`;
    return Object.fromEntries(rows.map(({ table, digest }) => [table, digest]));
  };
  // The driver reads the types of arrays with one more query per connection. This query has no arrays as parameters.
  return inDatabase(databaseUrl, digestAll, { fetch_types: false });
}

async function inDatabase<Result>(
  databaseUrl: string,
  work: (sql: postgres.Sql) => Promise<Result>,
  options: { fetch_types?: boolean } = {},
): Promise<Result> {
  const sql = postgres(databaseUrl, { ...options, max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

export async function readOwnedTables(sql: postgres.ISql): Promise<readonly string[]> {
  const rows = await sql<{ table: string }[]>`
    select table_name as "table" from information_schema.columns
    where table_schema = 'public' and column_name = 'owner' and table_name not in ('report_schedules', 'webhooks')`;
  return rows.map(({ table }) => table);
}

export async function addOwnedRow(sql: postgres.ISql, table: string, owner: string, deletedAt: string): Promise<void> {
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, udt_name as type from information_schema.columns where table_schema = 'public'
      and table_name = ${table} and is_nullable = 'NO' and column_default is null and column_name not in ('id', 'owner')`;
  const empty: Readonly<Record<string, string>> = {
    text: "'x'",
    bool: "false",
    timestamptz: "now()",
    _text: "'{}'",
    jsonb: "'{}'",
  };
  const names = ["id", "owner", "deleted_at", ...columns.map(({ name }) => name)];
  const values = ["new_id()", "$1", deletedAt, ...columns.map(({ type }) => empty[type] ?? "1")];
  // oxlint-disable-next-line no-restricted-properties -- names of the schema and constants, never input
  await sql.unsafe(`insert into ${table} (${names.join(", ")}) values (${values.join(", ")})`, [owner]);
}

const reportTypes = ["PROXY", "PROXY_DOMAIN"];

async function addSchedules(sql: postgres.TransactionSql, owner: string): Promise<void> {
  await sql`
    insert into report_schedules (id, name, report_type, definition_version, search_param, options, cron, timezone, missed,
      missed_within_seconds, overlap, status, next_fire_at, counted_from, tz_version, owner, required_authority, confirmed_at, deleted_at)
    select new_id(), 'Of another owner', type, 1, '{}', '{"format": "csv"}', '0 6 1 1 *', 'UTC', 'LATEST', 3600, 'SKIP',
      state, case when state = 'ACTIVE' then now() + interval '300 days' end,
      now(), 'other', ${owner}, 'REPORT_' || type, now() - interval '2 days', case when deleted then now() end
    from unnest(${reportTypes}::text[]) as type, unnest(array['ACTIVE', 'PAUSED']) as state, unnest(array[false, true]) as deleted`;
  await sql`
    insert into report_schedule_fires (id, schedule_id, scheduled_for, outcome, because)
    select new_id(), id, now() - interval '1 hour', 'SKIPPED', 'PREVIOUS_STILL_RUNNING' from report_schedules where owner = ${owner}`;
}

async function addReports(sql: postgres.TransactionSql, owner: string): Promise<void> {
  await sql`
    insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, schedule_id,
      created_at, started_at, finished_at, expires_at, data_as_of, progress_phase, percent, attempt, max_failures, row_count,
      file_id, file_name, file_extension, file_content_type, file_size_bytes, file_sha256, file_columns, file_storage_key,
      error_code, error_detail, error_retryable, required_authority, deleted_at)
    select id, type, 1, 'Of another owner', status, '{}', '{"format": "csv", "csvBom": true, "compression": "none", "columns": ["name"],
      "sort": ["name"], "groupBy": null, "timezone": "UTC", "locale": "en", "paper": "A4", "orientation": "auto", "accessible": null,
      "keepRows": false}', ${owner}, (select id from report_schedules where owner = ${owner} and report_type = type limit 1),
      now() - interval '1 hour', case when status <> 'QUEUED' then now() end, case when ended then now() end,
      case when file then now() + interval '1 year' end, case when file then now() end,
      case when ended then 'done' when status = 'RUNNING' then 'querying' else 'waiting' end,
      case when file then 100 end, case when status = 'QUEUED' then 0 else 1 end, 3, case when file then 1 end,
      case when file then new_id() end, case when file then 'Proxies.csv' end, case when file then 'csv' end,
      case when file then 'text/csv; charset=utf-8' end, case when file then 1 end, case when file then repeat('0', 64) end,
      case when file then array['name'] end, case when file then 'reports/' || id || '/1-0123456789ab.csv' end,
      case when status = 'FAILED' then 'INVALID_DATA' end, case when status = 'FAILED' then 'Of another owner.' end,
      case when status = 'FAILED' then false end, 'REPORT_' || type, case when deleted then now() end
    from (
      select new_id() as id, type, status, deleted, status = 'SUCCEEDED' and not deleted as file,
        status not in ('QUEUED', 'RUNNING') as ended
      from unnest(${reportTypes}::text[]) as type,
        unnest(array['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED']) as status,
        unnest(array[false, true]) as deleted
      where not (deleted and status in ('QUEUED', 'RUNNING', 'SUCCEEDED'))
    ) as state`;
  await sql`
    insert into report_events (report_id, from_status, to_status, attempt, actor)
    select id, null, 'QUEUED', 0, ${owner} from reports where requested_by = ${owner}`;
  await sql`
    insert into download_links (id, token_hash, report_id, file_id, created_by, created_at, expires_at, revoked_at)
    select new_id(), encode(sha256((id || ended::text)::bytea), 'hex'), id, file_id, ${owner}, now(), now() + interval '20 hours',
      case when ended then now() end
    from reports, unnest(array[false, true]) as ended where requested_by = ${owner} and file_id is not null`;
}

async function addWebhooks(sql: postgres.TransactionSql, owner: string): Promise<void> {
  await sql`
    insert into webhooks (id, owner, owner_authorities, confirmed_at, url, events, of_whom, status, paused_because, secret, deleted_at)
    select new_id(), ${owner}, ${reportTypes.map((type) => `REPORT_${type}`)}, now() - interval '2 days', 'https://other-owner.invalid/hook',
      array['report.succeeded', 'report.failed', 'schedule.paused'], 'OWN', state, case when state = 'PAUSED' then 'REQUESTED' end,
      'of another owner', case when deleted then now() end
    from unnest(array['ACTIVE', 'PAUSED']) as state, unnest(array[false, true]) as deleted`;
  await sql`
    insert into webhook_deliveries (id, webhook_id, event_id, type, report_id, data, status, tries, next_try_at, last_status, ended_at)
    select new_id(), webhook.id, new_id(), 'report.succeeded', report.id, '{}', delivery, 1,
      case when delivery = 'PENDING' then now() + interval '20 hours' end, 500, case when delivery <> 'PENDING' then now() end
    from webhooks as webhook, unnest(array['PENDING', 'DELIVERED', 'FAILED']) as delivery,
      (select id from reports where requested_by = ${owner} and status = 'SUCCEEDED' limit 1) as report
    where webhook.owner = ${owner}`;
}
