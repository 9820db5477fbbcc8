-- Inserts :records report records over one year, distributed as in a busy service. 99.9 % have ended, and one in twenty of these is deleted. One in
-- ten thousand has the rare type. Some formats and requesters are common, others rare. One report in 50 belongs to a frequent schedule, and one in
-- 50,000 to a rare one.
insert into reports (
  id, report_type, definition_version, title, status, search_param, options, requested_by, created_at, started_at, finished_at,
  updated_at, expires_at, data_as_of, progress_phase, rows_done, rows_total, percent, attempt, failures, max_failures, row_count, file_id,
  file_name, file_extension, file_content_type, file_size_bytes, file_sha256, file_columns, file_storage_key, error_code, error_detail,
  error_retryable, lane, schedule_id, deleted_at)
select
  id,
  case when number % 10000 = 77 then 'PROXY_DOMAIN' else 'PROXY' end,
  1,
  case
    when title_at < 0.5 then 'Proxy inventory'
    when title_at < 0.8 then 'Proxy inventory ' || number % 1000
    when title_at < 0.9 then 'Weekly certificates of team ' || number % 300
    when title_at < 0.95 then 'Monthly review ' || to_char(created_at, 'YYYY-MM')
    when title_at < 0.96 then 'Audit evidence'
    when title_at < 0.961 then 'Incident follow-up'
    when title_at < 0.9611 then 'Übersicht der Störungen'
    else 'Export ' || number
  end,
  status,
  '{"health": ["DOWN"]}',
  jsonb_build_object(
    'sort', '["health", "name"]'::jsonb, 'csvBom', true, 'format', format, 'locale', 'en', 'columns', '["name", "kind", "health"]'::jsonb,
    'groupBy', null, 'timezone', 'UTC', 'compression', 'none'),
  'basic:bench-principal-' || floor(10000 * power(random(), 3))::integer,
  created_at,
  case when status <> 'QUEUED' then created_at + interval '1 second' end,
  case when ended then created_at + make_interval(secs => 2 + 600 * random()) end,
  created_at + interval '10 minutes',
  case when status in ('SUCCEEDED', 'EXPIRED') then created_at + interval '7 days' end,
  case when status in ('SUCCEEDED', 'EXPIRED') then created_at + interval '1 second' end,
  case when status in ('SUCCEEDED', 'EXPIRED') then 'done' else 'waiting' end,
  0,
  null,
  case when status in ('SUCCEEDED', 'EXPIRED') then 100 end,
  case when status = 'QUEUED' then 0 else 1 end,
  0,
  3,
  case when status in ('SUCCEEDED', 'EXPIRED') then number % 5000 end,
  case when status = 'SUCCEEDED' then id end,
  case when status = 'SUCCEEDED' then 'proxies.' || format end,
  case when status = 'SUCCEEDED' then format end,
  case when status = 'SUCCEEDED' then 'application/octet-stream' end,
  case when status = 'SUCCEEDED' then 1000 + number end,
  case when status = 'SUCCEEDED' then repeat('a', 64) end,
  case when status = 'SUCCEEDED' then array['name', 'kind', 'health'] end,
  case when status = 'SUCCEEDED' then 'reports/' || id || '/1-a.' || format end,
  case when status = 'FAILED' then 'DEPENDENCY_UNAVAILABLE' end,
  case when status = 'FAILED' then 'The database ended the query.' end,
  case when status = 'FAILED' then true end,
  'quick',
  case
    when number % 50000 = 11 then '00000000-0000-7000-8000-000000000002'::uuid
    when number % 50 = 3 then '00000000-0000-7000-8000-000000000001'::uuid
  end,
  case when ended and number % 20 = 3 then created_at + interval '1 day' end
from (
  select *, random() as title_at, uuidv7(created_at - clock_timestamp()) as id, status not in ('QUEUED', 'RUNNING') as ended
  from (
    select
      number,
      date_trunc('milliseconds', now() - make_interval(secs => 31536000.0 * (:records - number) / :records)) as created_at,
      case
        when number > :records * 0.999 then case when number % 5 = 0 then 'RUNNING' else 'QUEUED' end
        when number % 1000 = 777 then 'CANCELLED'
        when number % 10 = 9 then 'FAILED'
        when number > :records * 0.98 then 'SUCCEEDED'
        else 'EXPIRED'
      end as status,
      case
        when number % 10000 = 4077 then 'ndjson'
        when number % 100 = 7 then 'json'
        when number % 10 = 4 then 'csv'
        when number % 4 = 1 then 'xlsx'
        else 'pdf'
      end as format
    from generate_series(1, :records) as number
  ) as drawn
) as numbered;
