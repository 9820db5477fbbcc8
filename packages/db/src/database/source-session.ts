import { escapeLiteral } from "pg";
import { clientOf } from "./client-of.ts";
import type { Queries } from "./queries.ts";
import { isTransient, isServerError, isFatal, ServerRefusedError } from "./store-error.ts";

/**
 * Session settings in a source of report rows. Other service settings (session-settings.ts) do not apply: a source is only read, and
 * its views are found by its own search path. docs/decisions/0036-views-of-named-sources.md.
 */
const sourceSettings = {
  // Time limits of a role or database that could end a report. The first two can act while the others are set.
  exit_on_error: "off",
  transaction_timeout: "0",
  idle_session_timeout: "0",
  lock_timeout: "0",
  statement_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  // Ruled-out plans seem expensive enough to compile (session-settings.ts).
  jit: "off",
  // How values are written and read.
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  TimeZone: "UTC",
  bytea_output: "hex",
  extra_float_digits: "1",
  client_encoding: "UTF8",
  standard_conforming_strings: "on",
} as const;

type SourceSetting =
  | keyof typeof sourceSettings
  | "client_connection_check_interval"
  | "default_transaction_read_only"
  | "max_parallel_workers_per_gather";

/** Settings that a server can refuse without changing any value: the worker limits a report itself, and the others only cost speed. */
export const optionalSettings: ReadonlySet<SourceSetting> = new Set([
  "exit_on_error",
  "transaction_timeout",
  "idle_session_timeout",
  "lock_timeout",
  "statement_timeout",
  "idle_in_transaction_session_timeout",
  "jit",
  "client_connection_check_interval",
  "max_parallel_workers_per_gather",
]);

/** Settings that older versions of Postgres lack. A SET would log an error there in each session. */
const versionDependent: ReadonlySet<SourceSetting> = new Set([
  "transaction_timeout",
  "idle_session_timeout",
  "client_connection_check_interval",
]);

function setIfKnown(name: SourceSetting, value: string): string {
  const literal = escapeLiteral(name);
  return `select set_config(${literal}, ${escapeLiteral(value)}, false) where current_setting(${literal}, true) is not null`;
}

export interface SourceSession {
  readonly mayRefuse: ReadonlySet<SourceSetting>;
  /** Replaces or adds values, never from input. */
  readonly settings?: Readonly<Partial<Record<SourceSetting, string>>>;
}

/**
 * Sets a source's session, one setting per statement, so that a refusal concerns only one. `send` runs a statement; if it does not await
 * earlier ones, all take two round trips. Rejects with ServerRefusedError if a required setting is refused, and with the driver's error.
 */
export async function setSourceSession(
  send: (statement: string) => Promise<unknown>,
  { mayRefuse, settings }: SourceSession,
): Promise<void> {
  const set = async ([name, value]: readonly [SourceSetting, string]): Promise<void> => {
    try {
      await send(versionDependent.has(name) ? setIfKnown(name, value) : `set ${name} = ${escapeLiteral(value)}`);
    } catch (error) {
      if (!isServerError(error) || isTransient(error)) throw error;
      // A fatal answer refuses more than the setting.
      if (isFatal(error)) throw new ServerRefusedError("It refuses the connection", error);
      if (!mayRefuse.has(name)) throw new ServerRefusedError(`It refuses the setting ${name}`, error);
    }
  };
  const [first, ...others] = Object.entries({ ...sourceSettings, ...settings }) as [SourceSetting, string][];
  // Alone, because a pool whose server is down reconnects for each waiting statement.
  await set(first!);
  const results = await Promise.allSettled(others.map(set));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

export async function setSessionOf(queries: Queries, session: SourceSession): Promise<void> {
  const client = clientOf(queries);
  await setSourceSession(async (statement) => client.unsafe(statement), session);
}
