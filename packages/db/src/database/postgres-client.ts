import postgres, { type Sql } from "postgres";
import { createPasswordReader } from "./current-password.ts";
import { separateTlsOptions } from "./url-and-tls-options.ts";
import { buildSessionSetupSql, type DatabaseKind } from "./session-settings.ts";

export interface PostgresPoolOptions {
  readonly url: string;
  readonly database: DatabaseKind;
  readonly max: number;
  readonly applicationName: string;
  readonly connectTimeoutMs?: number | undefined;
  readonly statementTimeoutMs: number;
  readonly plansByValue?: boolean;
  readonly singleProcess?: boolean;
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

export function createPostgresPool(options: PostgresPoolOptions): Sql {
  const { statementTimeoutMs, plansByValue, singleProcess, settings } = options;
  const { url, ssl } = separateTlsOptions(options.url);
  return postgres(url, {
    ssl,
    password: createPasswordReader(options.url),
    max: options.max,
    connect_timeout: Math.ceil((options.connectTimeoutMs ?? 5_000) / 1000),
    idle_timeout: 60,
    max_lifetime: 30 * 60,
    // The driver's default backoff grows to 20 s. A server that is back would seem unavailable for that long.
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1) * (0.5 + Math.random() / 2),
    onnotice: () => {},
    connection: { application_name: options.applicationName },
    session:
      options.database === "source"
        ? undefined
        : buildSessionSetupSql({
            statementTimeoutMs,
            idleInTransactionMs: statementTimeoutMs,
            plansByValue,
            singleProcess,
            settings,
          }),
  });
}
