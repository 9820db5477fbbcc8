with report as (
  insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, traceparent, request_id, coalesce_key, lane, required_authority)
  values (uuidv7(), 'PROXY', 1, 'Proxy inventory', 'QUEUED', '{"name": ["nobody"]}', '{"sort": ["health", "name"], "csvBom": true, "format": "csv", "locale": "en", "columns": ["name", "kind", "software", "softwareVersion", "address", "port", "protocol", "region", "countryCode", "environment", "adminState", "health", "lastCheckedAt", "ownerTeam", "tags", "domainCount", "nextCertNotAfter", "daysLeft", "requests24h", "bytesOut24h", "errorRate5xx24h", "latencyMsP95"], "groupBy": null, "timezone": "UTC", "compression": "none"}', 'jwt|bench', 'waiting', 3, '00-b7cb39315f29135d18c6913c020c6cdb-f2c73060ba85038d-00', '019c5a2e-7a1b-7c3d-8e4f-5a6b7c8d9e0f', null, 'quick', 'REPORT_PROXY')
  on conflict (coalesce_key) where status in ('QUEUED', 'RUNNING') and deleted_at is null do nothing
  returning id, status, attempt, created_at
), event as (
  insert into report_events (report_id, to_status, attempt) select id, status, attempt from report
)
select created_at, enqueue_reports(array[id], 0, 0) from report;
-- Another connection may take the last job that this one sees: then there is none, and the one that is left over is taken by nobody.
with j as (
  select id from report_queue_quick._private_jobs where is_available and run_at <= now() order by priority, run_at limit 1 for update skip locked
), taken as (
  update report_queue_quick._private_jobs as jobs set attempts = jobs.attempts + 1, locked_by = 'bench', locked_at = now()
  from j where jobs.id = j.id returning jobs.id, jobs.payload ->> 'reportId' as report
)
select count(*)::integer as found, max(id) as job, max(report) as report from taken \gset
\if :found
begin;
select * from reports where id = :report::uuid and status in ('QUEUED', 'RUNNING') and deleted_at is null for update;
select set_config('reports.changes_told', 'in batches', true);
update reports set status = 'RUNNING', attempt = attempt + 1, started_at = now(), worker_id = 'bench', lease_expires_at = now() + interval '25 s', progress_phase = 'waiting', revision = revision + 1, updated_at = now()
where id = :report::uuid and status = 'QUEUED' returning *;
insert into report_events (report_id, from_status, to_status, attempt, actor) values (:report::uuid, 'QUEUED', 'RUNNING', 1, 'worker-bench');
end;
begin;
select set_config('reports.changes_told', 'in batches', true);
update reports set status = 'SUCCEEDED', worker_id = null, lease_expires_at = null, finished_at = now(), expires_at = now() + interval '7 days', data_as_of = now(), row_count = 0,
  progress_phase = 'done', rows_done = 0, rows_total = 0, percent = 100, file_id = uuidv7(), file_name = 'proxies.csv', file_extension = 'csv', file_content_type = 'text/csv', file_size_bytes = 200,
  file_sha256 = repeat('a', 64), file_columns = array['name', 'kind', 'health'], file_storage_key = 'reports/' || id || '/1-bench.csv', revision = revision + 1, updated_at = now()
where id = :report::uuid and attempt = 1 and status = 'RUNNING' returning *;
insert into report_events (report_id, from_status, to_status, attempt, actor) values (:report::uuid, 'RUNNING', 'SUCCEEDED', 1, 'worker-bench');
end;
delete from report_queue_quick._private_jobs where id = :job::bigint;
\endif
