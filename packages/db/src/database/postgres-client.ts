import postgres, { type Sql } from "postgres";
import { readPostgresAddress } from "./postgres-address.ts";
import { sessionStatement, type SessionDatabase } from "./session-settings.ts";

export interface ClientOptions {
  readonly url: string;
  readonly database: SessionDatabase;
  readonly max: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Default 5,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Limits statements, and idle transactions. */
  readonly statementTimeoutMs: number;
  /** Plans prepared statements for each run's values; by default Postgres decides. */
  readonly plansByValue?: boolean;
  /** Whether a statement may use only one server process. */
  readonly singleProcess?: boolean;
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Opens a pool of postgres.js. Connects at the first statement. */
export function openClient(options: ClientOptions): Sql {
  const { statementTimeoutMs, plansByValue, singleProcess, settings } = options;
  const { url, ssl } = readPostgresAddress(options.url);
  return postgres(url, {
    ssl,
    max: options.max,
    connect_timeout: Math.ceil((options.connectTimeoutMs ?? 5_000) / 1000),
    idle_timeout: 60,
    max_lifetime: 30 * 60,
    // The driver's own grows to 20 s, during which a server that is back would still seem unavailable.
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1) * (0.5 + Math.random() / 2),
    onnotice: () => {},
    connection: { application_name: options.applicationName },
    session:
      options.database === "source"
        ? undefined
        : sessionStatement({
            statementTimeoutMs,
            idleInTransactionMs: statementTimeoutMs,
            plansByValue,
            singleProcess,
            settings,
          }),
  });
}
