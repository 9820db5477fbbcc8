import { addAbortListener } from "node:events";
import postgres from "postgres";
import { buildSessionSetupSql } from "./session-settings.ts";
import { mapDatabaseError } from "./store-error.ts";
import { separateTlsOptions } from "./url-and-tls-options.ts";

interface SingleConnectionOptions {
  readonly databaseUrl: string;
  readonly applicationName: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `work` with a client of one connection, which it then closes. Rejects with StoreUnavailableError if Postgres is unreachable, or with the
 * signal's reason if the signal aborts.
 */
export async function withSingleConnection<Result>(
  { databaseUrl, applicationName, settings = {}, signal }: SingleConnectionOptions,
  work: (client: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const { url, ssl } = separateTlsOptions(databaseUrl);
  const client = postgres(url, {
    ssl,
    max: 1,
    connect_timeout: 5,
    onnotice: () => undefined,
    connection: { application_name: applicationName },
    session: buildSessionSetupSql({ settings }),
  });
  using _ = signal && addAbortListener(signal, () => void client.end({ timeout: 0 }));
  try {
    return await work(client);
  } catch (error) {
    signal?.throwIfAborted();
    throw mapDatabaseError(error);
  } finally {
    await client.end({ timeout: 5 });
  }
}
