import postgres, { type Sql } from "postgres";
import { readPostgresAddress } from "./postgres-address.ts";
import { sessionStatement, type SessionDatabase } from "./session-settings.ts";

/** How a pool of postgres.js reaches Postgres. */
export interface ClientOptions {
  readonly url: string;
  readonly database: SessionDatabase;
  /** Most connections at once. */
  readonly max: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Default 5,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long the server lets a statement run, and a transaction be idle. */
  readonly statementTimeoutMs: number;
  /** Plans prepared statements for the values of each run; by default Postgres decides when one plan will do. */
  readonly plansByValue?: boolean;
  /** Whether a statement may use one process of the server only. */
  readonly singleProcess?: boolean;
  /** Further settings of its sessions. */
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
    // The driver's own grows to 20 s, for which a server that is back long since would still seem away.
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
