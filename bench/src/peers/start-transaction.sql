with report as (
  insert into reports (
    id, report_type, definition_version, title, status, search_param, search_param_given, options, requested_by, requester_name, schedule_id, progress_phase,
    max_failures, traceparent, request_id, coalesce_key, lane, required_authority, counted_for, file_of, expires_at)
  select
    uuidv7(), report_type, definition_version, title, 'QUEUED', search_param, nullif(search_param_given, search_param), options, requested_by, requester_name,
    schedule_id, 'waiting', max_failures, traceparent, request_id, coalesce_key, lane, required_authority, counted_for, file_of,
    (select expires_at from reports as source where source.id = given.file_of)
  from jsonb_to_recordset('[{"report_type": "PROXY", "definition_version": 1, "title": "Proxy inventory", "search_param": {}, "search_param_given": {}, "options": {"sort": ["health", "name"], "csvBom": true, "format": "csv", "locale": "en", "columns": ["name", "kind", "software", "softwareVersion", "address", "port", "protocol", "region", "countryCode", "environment", "adminState", "health", "lastCheckedAt", "ownerTeam", "tags", "domainCount", "nextCertNotAfter", "daysLeft", "requests24h", "bytesOut24h", "errorRate5xx24h", "latencyMsP95"], "groupBy": null, "timezone": "UTC", "compression": "none"}, "requested_by": "jwt|bench", "max_failures": 3, "traceparent": "00-b7cb39315f29135d18c6913c020c6cdb-f2c73060ba85038d-00", "request_id": "019c5a2e-7a1b-7c3d-8e4f-5a6b7c8d9e0f", "coalesce_key": null, "lane": "quick", "required_authority": "REPORT_PROXY"}]'::jsonb) as given (
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
