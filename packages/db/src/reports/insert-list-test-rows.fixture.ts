import type postgres from "postgres";

export async function insertListTestRows(owner: postgres.Sql): Promise<void> {
  for (const statement of ["select setseed(0.5)", proxies, domains, reports]) await owner.unsafe(statement);
}

const id = (offset: number): string =>
  `('00000000-0000-7000-8000-' || lpad(to_hex(${offset} + number), 11, '0') || number % 10)::uuid`;
const valueOrNull = (value: string): string => `case when random() < 0.6 then ${value} end`;
const randomTime = "timestamptz '2026-01-01' + (random() * 5)::integer * interval '1 day'";
const randomValueOf = (values: readonly string[]): string =>
  `(array[${values.map((value) => `'${value}'`).join(", ")}])[1 + floor(random() * ${values.length})::integer]`;
const numberedRows = (count: number): string => `generate_series(1, ${count}) as number`;
const firstProxy = "'00000000-0000-7000-8000-000000000001'";

const proxies = `insert into proxies (id, name, description, owner_team, contact_email, kind, software, software_version, address, port, protocol,
    region, country_code, environment, admin_state, health, last_checked_at, latency_ms_p95, max_connections, created_at, updated_at, deleted_at)
  select case number when 1 then ${firstProxy}::uuid else ${id(0)} end, 'p-' || number, ${randomValueOf(["", "a", "b"])}, ${valueOrNull(randomValueOf(["x", "y"]))},
    ${valueOrNull("'a@example.org'")}, ${randomValueOf(["REVERSE", "FORWARD"])}, ${randomValueOf(["NGINX", "OTHER"])}, ${valueOrNull("'1'")}, 'h' || number, 80 + number % 7,
    ${randomValueOf(["HTTP", "HTTPS"])}, ${valueOrNull(randomValueOf(["b", "c"]))}, ${valueOrNull("'DE'")}, ${randomValueOf(["PROD", "DEV"])}, ${randomValueOf(["ENABLED", "DISABLED"])},
    ${randomValueOf(["UP", "DOWN", "UNKNOWN"])}, ${valueOrNull(randomTime)}, ${valueOrNull("(random() * 3)::integer")}, ${valueOrNull("1 + (random() * 3)::integer")},
    ${randomTime}, ${randomTime}, case when number > 1 and number % 9 = 0 then now() end
  from ${numberedRows(60)}`;

const domains = `insert into domains (id, proxy_id, hostname, hostname_ascii, path_prefix, status, upstream_scheme, upstream_host, upstream_port, tls_mode,
    tls_min_version, cert_issuer, cert_key_type, cert_not_before, cert_not_after, cert_fingerprint_sha256, https_forced, requests_24h, bytes_out_24h,
    error_rate_5xx_24h, last_checked_at, created_at, updated_at, deleted_at)
  select ${id(1000)}, proxy, 'd' || number % 9 || '.example.org', 'd' || number % 9 || '.example.org', '/' || number, ${randomValueOf(["PENDING", "ACTIVE"])},
    'HTTP', ${randomValueOf(["u", "v"])}, 80 + number % 3, case when secure then 'ACME' else 'NONE' end, case when secure then 'TLS1.2' end,
    case when secure then 'CA' end, case when secure then 'RSA2048' end, case when secure then timestamptz '2025-01-01' end,
    case when secure then ${randomTime} end, case when secure then repeat('a', 64) end, random() < 0.5, ${valueOrNull("(random() * 3)::integer")},
    ${valueOrNull("(random() * 3)::integer")}, ${valueOrNull("(random() * 3)::integer / 10.0")}, ${valueOrNull(randomTime)}, ${randomTime}, ${randomTime},
    case when number % 9 = 0 then now() end
  from (select number, random() < 0.6 as secure, case when number % 2 = 0 then ${firstProxy}::uuid
      else (array(select p.id from proxies p order by p.id))[1 + number % 20] end as proxy from ${numberedRows(90)}) as drawn`;

const reports = `insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures,
    created_at, finished_at, deleted_at)
  select ${id(2000)}, ${randomValueOf(["COMMON", "COMMON", "RARE", "HIDDEN"])}, 1, 't', case when ended then 'CANCELLED' else 'QUEUED' end, '{}',
    '{"format": "csv", "csvBom": true, "compression": "none", "columns": [], "sort": [], "groupBy": null, "timezone": "UTC", "locale": "en"}',
    'basic:alice', 'waiting', 3, ${randomTime}, case when ended then ${randomTime} end, case when number % 9 = 0 then now() end
  from (select number, random() < 0.6 as ended from ${numberedRows(90)}) as drawn`;
