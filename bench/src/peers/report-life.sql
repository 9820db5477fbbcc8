-- The work of Postgres for a report without rows, one report per run of the script: pgbench -M prepared -D turn=0 -D together=8. Transactions,
-- statements and packets are those that the service sends. Where pgbench can't do the same, it does something cheaper, so that the comparison
-- never favours the service:
--  * The service writes starts in batches, and deletes the jobs that end within 50 ms in one batch. Here a session starts :together reports in one
--    batch, and deletes their jobs in one batch. Why 8: with 16 clients and 1,500 reports, the service wrote 8.0 to 8.2 starts per transaction. It
--    deleted 8 jobs per batch with one worker, 5 with two, and 2 with four.
--  * Reports of one batch differ only by their IDs, so that their record is read once.
--  * The service notifies of changes at intervals: for 8 reports in 3 statements with one worker, 5 with two and 8 with four. Here one statement
--    notifies of all reports of a batch.
--  * pgbench has no COPY, so a select reads the rows. Like the two queries before it, it is planned once per session. The service plans these
--    queries each time.
--  * The service has pools for starts, jobs, attempts and rows, each with its own session settings. Here a session has the settings of jobs and
--    attempts, and the transactions of starts and rows set theirs.
--  * Work that does not depend on the number of reports is left out: heartbeats, and checks of the other lanes and of the queue's state.
\set first :turn = 0
\if :first
select set_config('synchronous_commit', 'on', false), set_config('TimeZone', 'UTC', false), set_config('jit', 'off', false), set_config('reports.changes_told', 'in batches', false),
  set_config('enable_seqscan', 'off', false), set_config('enable_bitmapscan', 'off', false), set_config('enable_sort', 'off', false), set_config('enable_hashjoin', 'off', false),
  set_config('enable_mergejoin', 'off', false), coalesce((select id::text from store_markers), '') as store, '' as jobs, '' as reports \gset
\endif
\set turn :turn % :together + 1

-- The starts, without limits, idempotency keys or coalescing.
\if :turn = 1
begin;
\startpipeline
select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('lock_timeout', '1000', true),
  set_config('enable_sort', 'on', true), set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true);
with report as (
  insert into reports (
    id, report_type, definition_version, title, status, search_param, search_param_given, options, requested_by, requester_name, schedule_id, progress_phase,
    max_failures, traceparent, request_id, coalesce_key, lane, required_authority, counted_for, file_of, expires_at)
  select
    uuidv7(), report_type, definition_version, title, 'QUEUED', search_param, nullif(search_param_given, search_param), options, requested_by, requester_name,
    schedule_id, 'waiting', max_failures, traceparent, request_id, coalesce_key, lane, required_authority, counted_for, file_of,
    (select expires_at from reports as source where source.id = given.file_of)
  from generate_series(1, :together::integer), jsonb_to_recordset('[{"lane": "quick", "title": "Proxy inventory", "options": {"sort": ["health", "name"], "paper": "A4", "csvBom": true, "format": "csv", "locale": "en", "columns": ["name", "kind", "software", "softwareVersion", "address", "port", "protocol", "region", "countryCode", "environment", "adminState", "health", "lastCheckedAt", "ownerTeam", "tags", "domainCount", "nextCertNotAfter", "daysLeft", "requests24h", "bytesOut24h", "errorRate5xx24h", "latencyMsP95"], "groupBy": null, "keepRows": false, "timezone": "UTC", "accessible": null, "compression": "none", "orientation": "auto"}, "request_id": "019c5a2e-7a1b-7c3d-8e4f-5a6b7c8d9e0f", "report_type": "PROXY", "traceparent": "00-b7cb39315f29135d18c6913c020c6cdb-f2c73060ba85038d-00", "coalesce_key": null, "max_failures": 3, "requested_by": "jwt|bench", "search_param": {"name": ["nobody"]}, "requester_name": null, "definition_version": 1, "required_authority": "REPORT_PROXY", "search_param_given": {"name": ["nobody"]}}]'::jsonb) as given (
    id uuid, report_type text, definition_version integer, title text, search_param jsonb, search_param_given jsonb, options jsonb, requested_by text,
    requester_name text, schedule_id uuid, max_failures integer, traceparent text, request_id text, coalesce_key text, lane text,
    required_authority text, counted_for text, file_of uuid)
  on conflict (coalesce_key) where status in ('QUEUED', 'RUNNING') and deleted_at is null do nothing
  returning id, status, attempt, created_at, expires_at, requested_by
), event as (
  insert into report_events (report_id, to_status, attempt, actor) select id, status, attempt, requested_by from report
)
select array_to_string(array_agg(id), ',') as ids, min(created_at) as created_at, min(expires_at) as expires_at, enqueue_reports(array_agg(id), 0, 0)
from report having count(*) > 0;
\endpipeline
\startpipeline
select case when clock_timestamp() > now() + interval '10490 milliseconds'
  then ('the caller has given up waiting for this transaction at ' || clock_timestamp())::integer end;
commit;
\endpipeline
\endif

-- Read after the first start, because the table of tasks is empty until then.
\if :first
select array_agg(id) as tasks from report_queue_quick._private_tasks \gset
\endif

-- Claims a job as graphile-worker does. If another session has claimed the last job that this one sees, no job is found. The run counts
-- nevertheless, and one job remains in the queue.
with j as (
  select jobs.job_queue_id, jobs.priority, jobs.run_at, jobs.id
  from report_queue_quick._private_jobs as jobs
  where jobs.is_available = true and run_at <= now() and task_id = any(:tasks::int[])
    and (jobs.job_queue_id is null or jobs.job_queue_id in (
      select id from report_queue_quick._private_job_queues as job_queues where job_queues.is_available = true for update skip locked))
  order by priority asc, run_at asc
  limit 1
  for update skip locked
), q as (
  update report_queue_quick._private_job_queues as job_queues set locked_by = 'pool-00e5419640899918e8', locked_at = now() from j where job_queues.id = j.job_queue_id
), taken as (
  update report_queue_quick._private_jobs as jobs set attempts = jobs.attempts + 1, locked_by = 'pool-00e5419640899918e8', locked_at = now()
  from j where jobs.id = j.id returning jobs.*
)
select count(*)::integer as found, max(payload ->> 'reportId') as report,
  concat_ws(',', case when :turn::integer > 1 then nullif(:jobs::text, '') end, max(id)) as jobs,
  concat_ws(',', case when :turn::integer > 1 then nullif(:reports::text, '') end, max(payload ->> 'reportId')) as reports
from taken \gset

\if :found
-- The worker reads the report before it claims it.
select id, report_type, definition_version, title, status, search_param, search_param_given, options, requested_by, requester_name, schedule_id, created_at, started_at, finished_at,
  updated_at, expires_at, data_as_of, progress_phase, rows_done, rows_total, percent, attempt, failures, max_failures, row_count, warnings, warning_codes, file_id, file_name,
  file_extension, file_content_type, file_size_bytes, file_sha256, file_columns, file_storage_key, file_stored_version, error_code, error_detail, error_retryable, revision, deleted_at,
  traceparent, request_id, file_of, data_sha256, (status = 'QUEUED' or lease_expires_at < clock_timestamp() and lane <> 'suspect') as is_free,
  (clock_timestamp() + make_interval(secs => '10'::double precision))::text as claim_before
from reports where (id = :report::uuid and status in ('QUEUED', 'RUNNING') and num_nonnulls(deleted_at) = 0) \gset looked_

-- The claim, with its events.
with reports as (
  update reports set status = 'RUNNING', started_at = coalesce(reports.started_at, now()), updated_at = now(), progress_phase = 'waiting', rows_done = 0, rows_total = null,
    percent = null, attempt = reports.attempt + 1, revision = reports.revision + 1, losses = reports.losses + (reports.status = 'RUNNING')::integer, handed_back_because = null,
    worker_id = 'bench-12484-1eb43b8d4c4a', lease_expires_at = clock_timestamp() + make_interval(secs => '25000'::double precision / 1000)
  where (reports.id = :report::uuid and reports.status in ('QUEUED', 'RUNNING') and num_nonnulls(reports.deleted_at) = 0) and reports.revision = :looked_revision::bigint
    and (reports.status = 'QUEUED' or reports.lease_expires_at < clock_timestamp() and reports.lane <> 'suspect') and clock_timestamp() < :looked_claim_before::text::timestamptz
  returning *
), told as (
  insert into report_events (report_id, from_status, to_status, attempt, actor)
  select id, step.before, step.after, step.attempt, 'worker-bench-12484-1eb43b8d4c4a'
  from reports, lateral (values ('RUNNING', 'QUEUED', reports.attempt - 1), ('QUEUED', 'RUNNING', reports.attempt)) as step (before, after, attempt)
  where step.before = 'QUEUED' or :looked_status::text = 'RUNNING'
  order by step.attempt
)
select attempt, started_at, updated_at, revision, lane, losses, failures, max_failures, hand_backs,
  coalesce(extract(epoch from clock_timestamp() - reports.first_handed_back_at) * 1000, 0)::double precision,
  (reports.required_authority is null or not starts_with(reports.requested_by, 'basic:') or exists (
    select from users as requester
    where requester.name = substr(reports.requested_by, 7)
      and requester.disabled_at is null and reports.required_authority = any (requester.authorities)))
from reports;

-- The renderer reads the rows.
\startpipeline
begin isolation level repeatable read read only;
select (extract(epoch from now()) * 1000)::bigint, set_config('TimeZone', 'UTC', true), set_config('statement_timeout', '1800000', true), set_config('DateStyle', 'ISO', true),
  set_config('enable_seqscan', 'on', true), set_config('enable_bitmapscan', 'on', true), set_config('enable_sort', 'on', true), set_config('enable_hashjoin', 'on', true),
  set_config('enable_mergejoin', 'on', true);
select count(*) from (select from proxies where proxies.deleted_at is null and (proxies.name in ('nobody'::text))) counted;
select quote_literal(value) from unnest('{nobody}'::text[]) with ordinality as given (value, position) order by position;
\endpipeline
\startpipeline
select proxies.name as "name", proxies.kind as "kind", proxies.software as "software", proxies.software_version as "softwareVersion", proxies.address as "address", proxies.port as "port",
  proxies.protocol as "protocol", proxies.region as "region", proxies.country_code as "countryCode", proxies.environment as "environment", proxies.admin_state as "adminState",
  proxies.health as "health", proxies.last_checked_at as "lastCheckedAt", proxies.owner_team as "ownerTeam", proxies.tags as "tags", coalesce(totals.domain_count, 0) as "domainCount",
  totals.next_cert_not_after as "nextCertNotAfter", floor(date_part('epoch', totals.next_cert_not_after - now()) / 86400)::integer as "daysLeft", totals.requests as "requests24h",
  totals.bytes_out as "bytesOut24h", round(totals.errors / nullif(totals.requests_with_rate, 0), 6) as "errorRate5xx24h", proxies.latency_ms_p95 as "latencyMsP95"
from proxies left join (
  select domains.proxy_id as proxy_id, count(*) as domain_count, min(domains.cert_not_after) as next_cert_not_after,
    sum(domains.requests_24h) as requests, sum(domains.bytes_out_24h) as bytes_out,
    sum(domains.error_rate_5xx_24h * domains.requests_24h) as errors,
    sum(domains.requests_24h) filter (where domains.error_rate_5xx_24h is not null) as requests_with_rate
  from domains where domains.deleted_at is null group by domains.proxy_id
) totals on totals.proxy_id = proxies.id
where proxies.deleted_at is null and (proxies.name in ('nobody'::text))
order by array_position(array['DOWN'::text, 'DEGRADED'::text, 'UNKNOWN'::text, 'UP'::text], proxies.health), proxies.name, proxies.id;
commit;
\endpipeline

-- The completion, with its event.
with reports as (
  update reports set status = 'SUCCEEDED', finished_at = now(), updated_at = now(),
    expires_at = coalesce(reports.expires_at, clock_timestamp() + make_interval(secs => '604800000'::double precision / 1000)), data_as_of = now(), progress_phase = 'done',
    rows_done = 0, rows_total = 0, percent = 100, row_count = 0, file_id = uuidv7(), file_name = 'Proxy inventory 2026-11-24 055626.csv', file_extension = 'csv',
    file_content_type = 'text/csv; charset=utf-8', file_size_bytes = 230, file_sha256 = '87134ca5efc3e89d460aaa531a75cbe66b986b88be001d9b3b4c43c625fee16c',
    file_columns = '{name,kind,software,softwareVersion,address,port,protocol,region,countryCode,environment,adminState,health,lastCheckedAt,ownerTeam,tags,domainCount,nextCertNotAfter,daysLeft,requests24h,bytesOut24h,errorRate5xx24h,latencyMsP95}',
    file_storage_key = 'reports/' || :report::text || '/1-deab112f1992.csv', file_stored_version = '1795499786318', warnings = '{}', warning_codes = '{}',
    revision = reports.revision + 1, worker_id = null, lease_expires_at = null, data_sha256 = null
  where (reports.id = :report::uuid and reports.attempt = :looked_attempt::integer + 1 and reports.status = 'RUNNING' and num_nonnulls(reports.deleted_at) = 0)
    and (nullif(:store::text, '') is null or exists (select from store_markers where store_markers.id = nullif(:store::text, '')::uuid))
  returning *
), told as (
  insert into report_events (report_id, from_status, to_status, attempt, actor) select id, 'RUNNING', status, attempt, 'worker-bench-12484-1eb43b8d4c4a' from reports
)
select id, report_type, definition_version, title, status, search_param, search_param_given, options, requested_by, requester_name, schedule_id, created_at, started_at, finished_at,
  updated_at, expires_at, data_as_of, progress_phase, rows_done, rows_total, percent, attempt, failures, max_failures, row_count, warnings, warning_codes, file_id, file_name,
  file_extension, file_content_type, file_size_bytes, file_sha256, file_columns, file_storage_key, file_stored_version, error_code, error_detail, error_retryable, revision, deleted_at,
  traceparent, request_id, file_of, data_sha256
from reports;
\endif

-- Notifies of the changed reports, and deletes the jobs.
\if :turn = :together
select pg_notify('report_changes', id), set_config('synchronous_commit', 'off', true) from unnest(string_to_array(:reports, ',')) as id;
delete from report_queue_quick._private_jobs as jobs using unnest(string_to_array(:jobs, ',')::bigint[]) n(n) where id = n;
\endif
