/** Settings of a session, with its time limits in ms; 0 for none, which is the default. */
export interface SessionLimits {
  readonly statementTimeoutMs?: number | undefined;
  readonly idleInTransactionMs?: number | undefined;
  /**
   * Plans prepared statements again for the values of each run. After five runs Postgres may otherwise take one plan for all, and the values
   * of a filter differ by how many rows they leave. Default: Postgres decides.
   */
  readonly plansByValue?: boolean | undefined;
  /** Whether a statement may use one process of the server only, however many the server's settings allow. */
  readonly singleProcess?: boolean | undefined;
  /** Further settings, by name. Neither names nor values come from outside. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/**
 * Whose database a session is in. `service` is the service's own: every setting that changes a meaning has one value there, set by
 * `sessionStatement`. `source` is a database of report rows. Its sessions begin as the server makes them, and their users set what they
 * need by source-session.ts.
 */
export type SessionDatabase = "service" | "source";

/** The schemas in which the service finds its tables. Temporary tables come last, so that none hides another. */
export const serviceSearchPath = "public, pg_temp";

/** How values are written and read. A role or a database may have another default for each. */
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

/** Time limits of a role or database that could end a session while it works or waits. The service sets its own, and these end nothing. */
const endlessTimes: Readonly<Record<string, string>> = {
  transaction_timeout: "0",
  idle_session_timeout: "0",
  lock_timeout: "0",
  exit_on_error: "off",
};

/** How names are found and statements read, and which rows a statement sees, in the service's own database. */
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

/** Settings that some supported versions of Postgres lack. */
const notEverywhere: ReadonlySet<string> = new Set(["transaction_timeout", "restrict_nonsystem_relation_kind"]);

/**
 * Settings that only a superuser may change. They are set where they differ, so that a role that cannot change them gets an error that names
 * the setting: no session of that role serves a statement, and readiness fails.
 */
const superuserSettings: Readonly<Record<string, string>> = { session_replication_role: "origin" };

/**
 * Returns the statement that every session of the service's database runs first. A COMMIT that Postgres acknowledged is on disk, whatever the server's default of
 * synchronous_commit is, and on the synchronous standbys where there are any; a server that waits for more (`remote_apply`) still does.
 * Nothing is compiled: plans that are ruled out (rescuer.ts, queue-pool.ts) seem endlessly expensive to a Postgres before 18, and it
 * compiled a query for ten rows for a second. It is a statement, because pgbouncer refuses or drops most of these as parameters of the connection.
 */
export function sessionStatement(limits: SessionLimits = {}): string {
  const { statementTimeoutMs = 0, idleInTransactionMs = 0 } = limits;
  const settings = {
    // First: a time limit of the role runs from the statement's beginning.
    ...endlessTimes,
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
    ...Object.entries(settings).map(([name, value]) => setting(name, value)),
    `set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, false)`,
    ...Object.entries(superuserSettings).map(([name, value]) => settingIfDifferent(name, value)),
  ];
  return `select ${selected.join(", ")}`;
}

function setting(name: string, value: string): string {
  const set = `set_config('${name}', '${value}', false)`;
  return notEverywhere.has(name) ? `case when current_setting('${name}', true) is not null then ${set} end` : set;
}

function settingIfDifferent(name: string, value: string): string {
  return `case when current_setting('${name}') <> '${value}' then set_config('${name}', '${value}', false) end`;
}
