/** Settings of a session, as its statement time-outs in ms; 0 for none. */
export interface SessionLimits {
  readonly statementTimeoutMs: number;
  readonly idleInTransactionMs: number;
  /**
   * Prepared statements are planned anew for the values of each run, where they have any: after five runs Postgres may take one plan for
   * all, and the values of a filter differ by how many rows they leave. Default: Postgres decides.
   */
  readonly plansByValue?: boolean | undefined;
  /** Whether a statement may use one process of the server only, however many the server's settings allow. */
  readonly singleProcess?: boolean | undefined;
  /** Further settings, by name. Neither names nor values come from outside. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/**
 * The statement that every session of ours runs before anything else. An acknowledged COMMIT is on disk whatever the server's default of
 * synchronous_commit is, and on the synchronous standbys where there are any; a server that waits for more (`remote_apply`) still does.
 * Nothing is compiled: plans that are ruled out (rescuer.ts, queue-pool.ts) seem endlessly dear to a Postgres before 18, and it compiled
 * a look at ten rows for a second. A statement and not parameters of the connection's start: pgbouncer refuses those that it does not know.
 */
export function sessionStatement(limits?: SessionLimits): string {
  const settings = [
    `set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, false)`,
    `set_config('TimeZone', 'UTC', false)`,
    `set_config('jit', 'off', false)`,
    ...(limits === undefined
      ? []
      : [
          `set_config('statement_timeout', '${limits.statementTimeoutMs}', false)`,
          `set_config('idle_in_transaction_session_timeout', '${limits.idleInTransactionMs}', false)`,
          ...(limits.singleProcess === true ? [`set_config('max_parallel_workers_per_gather', '0', false)`] : []),
        ]),
    ...Object.entries(limits?.settings ?? {}).map(([name, value]) => `set_config('${name}', '${value}', false)`),
    ...(limits?.plansByValue === true ? ["set_config('plan_cache_mode', 'force_custom_plan', false)"] : []),
  ];
  return `select ${settings.join(", ")}`;
}
