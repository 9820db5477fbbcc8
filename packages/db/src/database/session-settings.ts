/** Session settings with time limits in ms. 0, the default, means no limit. */
export interface SessionLimits {
  readonly statementTimeoutMs?: number | undefined;
  readonly idleInTransactionMs?: number | undefined;
  /** Whether Postgres plans at each run for its values. Otherwise it may keep one generic plan after five runs. */
  readonly plansByValue?: boolean | undefined;
  /** Whether a statement may use only one process of the server. */
  readonly singleProcess?: boolean | undefined;
  /** Additional settings. They are written into SQL unescaped, so that they must never come from input. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/**
 * `service` is the service's own database: `sessionStatement` fixes every setting that can change a result. `source` is a database with
 * report rows: its sessions start with the server's settings, and source-session.ts sets what reports need.
 */
export type SessionDatabase = "service" | "source";

/** Temporary tables come last, so that none of them hides a table of the service. */
export const serviceSearchPath = "public, pg_temp";

/** Settings for reading and writing values. Roles and databases may have other defaults. */
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

/** Settings of a role or database that could end a session while it works or waits. The service sets its own limits. */
const noTimeLimits: Readonly<Record<string, string>> = {
  transaction_timeout: "0",
  idle_session_timeout: "0",
  lock_timeout: "0",
  exit_on_error: "off",
};

/** Settings for the lookup of names, the meaning of statements and the visibility of rows, in the service's own database. */
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

/** Settings that only a superuser may change, set only if they differ. Then other roles get an error that names the setting, and readiness fails. */
const superuserSettings: Readonly<Record<string, string>> = { session_replication_role: "origin" };

/**
 * Returns the first statement of every session in the service's database. It sets synchronous_commit to `on` unless it is `remote_apply`:
 * acknowledged COMMITs are on disk, and on the synchronous standbys if there are any. It turns JIT off: before Postgres 18, plans that are
 * ruled out (rescuer.ts, queue-pool.ts) look expensive, and compiling took a second for ten rows. The settings are sent as a statement,
 * because pgbouncer refuses or drops most of them as connection parameters.
 */
export function sessionStatement(limits: SessionLimits = {}): string {
  const { statementTimeoutMs = 0, idleInTransactionMs = 0 } = limits;
  const settings = {
    // First, because a statement timeout set by the role already runs while this statement does.
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
