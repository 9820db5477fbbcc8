/** Settings of a session. Time limits are in ms; 0, the default, means no limit. */
export interface SessionSetupOptions {
  readonly statementTimeoutMs?: number | undefined;
  readonly idleInTransactionMs?: number | undefined;
  /** Whether Postgres plans a prepared statement at each run, for its values. Otherwise it may keep one plan for all values after five runs. */
  readonly plansByValue?: boolean | undefined;
  readonly singleProcess?: boolean | undefined;
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/**
 * The kind of database. For `service`, the service's own database, `buildSessionSetupSql` fixes every setting that can change a result. For `source`,
 * a database with report rows, source-session-options.ts sets only what reports need.
 */
export type DatabaseKind = "service" | "source";

/** `pg_temp` comes last, so that no temporary table hides a table of the service. */
export const serviceSearchPath = "public, pg_temp";

/** Settings that decide how Postgres reads and writes values as text. A role or database may have other defaults. */
const valueSettings: Readonly<Record<string, string>> = {
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  TimeZone: "UTC",
  bytea_output: "hex",
  extra_float_digits: "1",
  client_encoding: "UTF8",
  standard_conforming_strings: "on",
  backslash_quote: "safe_encoding",
};

/**
 * Settings that a role or database may have, and that would end a session: time limits and `exit_on_error`. The service sets its own time limits.
 */
const noTimeLimits: Readonly<Record<string, string>> = {
  transaction_timeout: "0",
  idle_session_timeout: "0",
  lock_timeout: "0",
  exit_on_error: "off",
};

const serviceSettings: Readonly<Record<string, string>> = {
  search_path: serviceSearchPath,
  array_nulls: "on",
  transform_null_equals: "off",
  quote_all_identifiers: "off",
  timezone_abbreviations: "Default",
  lc_monetary: "C",
  lc_numeric: "C",
  lc_time: "C",
  xmlbinary: "base64",
  xmloption: "content",
  row_security: "on",
  gin_fuzzy_search_limit: "0",
  restrict_nonsystem_relation_kind: "",
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
  "plpgsql.extra_errors": "none",
};

const newerSettings: ReadonlySet<string> = new Set(["transaction_timeout", "restrict_nonsystem_relation_kind"]);

/** Only a superuser may change these settings, so they are set only if they differ. For other roles, readiness fails and names the setting. */
const superuserSettings: Readonly<Record<string, string>> = { session_replication_role: "origin" };

/**
 * Returns the statement that every session in the service's database runs first. A statement is needed, because pgbouncer refuses or drops most
 * settings as connection parameters. `synchronous_commit` becomes `on` unless it is `remote_apply`: an acknowledged COMMIT is on disk, also on
 * synchronous standbys. JIT is off. Before Postgres 18, plans with disabled scans (rescuer.ts, queue-pool.ts) look so expensive that Postgres
 * compiles them, for a second.
 */
export function buildSessionSetupSql(limits: SessionSetupOptions = {}): string {
  const { statementTimeoutMs = 0, idleInTransactionMs = 0 } = limits;
  const settings = {
    // These settings come first. A time limit of the role already counts while this statement runs, and could end it.
    ...noTimeLimits,
    ...valueSettings,
    ...serviceSettings,
    jit: "off",
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(idleInTransactionMs),
    ...(limits.singleProcess === true ? { max_parallel_workers_per_gather: "0" } : {}),
    ...limits.settings,
    ...(limits.plansByValue === true ? { plan_cache_mode: "force_custom_plan" } : {}),
  };
  const selected = [
    ...Object.entries(settings).map(([name, value]) => setSetting(name, value)),
    `set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, false)`,
    ...Object.entries(superuserSettings).map(([name, value]) => setIfDifferent(name, value)),
  ];
  return `select ${selected.join(", ")}`;
}

function setSetting(name: string, value: string): string {
  const set = `set_config('${name}', '${value}', false)`;
  return newerSettings.has(name) ? `case when current_setting('${name}', true) is not null then ${set} end` : set;
}

function setIfDifferent(name: string, value: string): string {
  return `case when current_setting('${name}') <> '${value}' then set_config('${name}', '${value}', false) end`;
}
