import { escapeLiteral } from "pg";
import { sqlClientOf } from "./sql-client-of.ts";
import type { Queries } from "./queries.ts";
import { isTransientSourceError, isPostgresError, isConnectionFatal, ServerRefusedError } from "./store-error.ts";

/**
 * Settings of a session in a source. The settings of the service's own database (session-settings.ts) don't apply: the service only reads, and
 * finds views by the source's search path. docs/decisions/0036-views-of-named-sources.md.
 */
const sourceSettings = {
  // Limits of a role or database that could end a report. The first two already apply while the other settings are made.
  exit_on_error: "off",
  transaction_timeout: "0",
  idle_session_timeout: "0",
  lock_timeout: "0",
  statement_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  // Plans with disabled scans look so expensive that Postgres would compile them (session-settings.ts).
  jit: "off",
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

/**
 * A server may refuse these settings, because no value depends on them. Some limit time, which the worker limits too. The others affect only speed.
 */
export const optionalSourceSettings: ReadonlySet<SourceSetting> = new Set([
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

/** Older versions of Postgres lack these settings. A SET would log an error per session there. */
const newerSettings: ReadonlySet<SourceSetting> = new Set([
  "transaction_timeout",
  "idle_session_timeout",
  "client_connection_check_interval",
]);

function setIfKnown(name: SourceSetting, value: string): string {
  const literal = escapeLiteral(name);
  return `select set_config(${literal}, ${escapeLiteral(value)}, false) where current_setting(${literal}, true) is not null`;
}

export interface SourceSessionOptions {
  readonly mayRefuse: ReadonlySet<SourceSetting>;
  /** Values that replace or extend `sourceSettings`. They must never come from input. */
  readonly settings?: Readonly<Partial<Record<SourceSetting, string>>>;
}

/**
 * Sends one statement per setting, so that the server can refuse each setting separately. If `send` does not wait for earlier statements, all
 * settings take two round trips. Rejects with ServerRefusedError if the server refuses a setting outside `mayRefuse`, or with the driver's error.
 */
export async function applySourceSettings(
  send: (statement: string) => Promise<unknown>,
  { mayRefuse, settings }: SourceSessionOptions,
): Promise<void> {
  const set = async ([name, value]: readonly [SourceSetting, string]): Promise<void> => {
    try {
      await send(newerSettings.has(name) ? setIfKnown(name, value) : `set ${name} = ${escapeLiteral(value)}`);
    } catch (error) {
      if (!isPostgresError(error) || isTransientSourceError(error)) throw error;
      // A fatal error has ended the connection, so the server refuses more than this setting.
      if (isConnectionFatal(error)) throw new ServerRefusedError("It refuses the connection", error);
      if (!mayRefuse.has(name)) throw new ServerRefusedError(`It refuses the setting ${name}`, error);
    }
  };
  const [first, ...others] = Object.entries({ ...sourceSettings, ...settings }) as [SourceSetting, string][];
  // The first setting is awaited alone. If the server is down, a pool would otherwise try to reconnect once per setting.
  await set(first!);
  const results = await Promise.allSettled(others.map(set));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

export async function applySourceSettingsTo(queries: Queries, session: SourceSessionOptions): Promise<void> {
  const client = sqlClientOf(queries);
  await applySourceSettings(async (statement) => client.unsafe(statement), session);
}
