with report as (
  insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, traceparent, request_id, coalesce_key, lane, required_authority)
  values (uuidv7(), 'PROXY', 1, 'Proxy inventory', 'QUEUED', '{}', '{"sort": ["health", "name"], "csvBom": true, "format": "csv", "locale": "en", "columns": ["name", "kind", "software", "softwareVersion", "address", "port", "protocol", "region", "countryCode", "environment", "adminState", "health", "lastCheckedAt", "ownerTeam", "tags", "domainCount", "nextCertNotAfter", "daysLeft", "requests24h", "bytesOut24h", "errorRate5xx24h", "latencyMsP95"], "groupBy": null, "timezone": "UTC", "compression": "none"}', 'jwt|bench', 'waiting', 3, '00-b7cb39315f29135d18c6913c020c6cdb-f2c73060ba85038d-00', '019c5a2e-7a1b-7c3d-8e4f-5a6b7c8d9e0f', null, 'quick', 'REPORT_PROXY')
  on conflict (coalesce_key) where status in ('QUEUED', 'RUNNING') and deleted_at is null do nothing
  returning id, status, attempt, created_at
), event as (
  insert into report_events (report_id, to_status, attempt) select id, status, attempt from report
)
select created_at, enqueue_reports(array[id], 0, 0) from report;
