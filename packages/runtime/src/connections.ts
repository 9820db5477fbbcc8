import { databaseUrlsOf } from "./environment/database-urls.ts";
import type { Secret } from "./environment/secret.ts";
import type { Logger } from "./log/logger.ts";
import { httpTransport, warnOfPlainText, type Transport } from "./plain-text.ts";
import { ConfigurationError, StartupError } from "./startup-error.ts";

/** What the package of the database knows of addresses and servers; this one knows no database. */
export interface DatabaseServers {
  /** What is wrong with URLs, by the variables that name them, before anything connects. */
  findAddressProblems(
    urls: Readonly<Record<string, string>>,
  ): readonly { readonly variable: string; readonly message: string }[];
  /** How the hosts of URLs without problems are reached. */
  readTransports(urls: Readonly<Record<string, string>>): readonly Transport[];
  /** Resolves once the database is ready, with null, or at once with what waiting cannot mend; rejects with the last reason when that takes too long. */
  waitForDatabase(options: {
    readonly databaseUrl: string;
    readonly queueSchema: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onWait: (reason: string) => void;
  }): Promise<string | null>;
}

/** How long a start waits for a database that is away, or for a migration that somebody else is running. */
const databaseWaitMs = 60_000;

/**
 * Looks at every address that the process will connect to, before it does: throws ConfigurationError for what the database drivers would not
 * agree on, and warns in production of what goes unencrypted to another machine.
 */
export function checkConnections(
  config: Parameters<typeof databaseUrlsOf>[0] & {
    readonly minioEndpoint?: string | undefined;
    readonly isProduction: boolean;
  },
  databases: DatabaseServers,
  logger: Logger,
): void {
  const urls = databaseUrlsOf(config);
  const problems = databases.findAddressProblems(urls);
  if (problems.length > 0) throw new ConfigurationError(problems);
  if (!config.isProduction) return;
  const store = config.minioEndpoint === undefined ? [] : [httpTransport("MINIO_ENDPOINT", config.minioEndpoint)];
  warnOfPlainText([...databases.readTransports(urls), ...store], logger);
}

/** Waits for the database, and says so. Rejects with ConfigurationError for what waiting cannot mend, with StartupError when it is in vain. */
export async function untilDatabaseIsReady(
  config: { readonly databaseUrl: Secret; readonly queueSchema: string },
  databases: DatabaseServers,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const problem = await databases
    .waitForDatabase({
      databaseUrl: config.databaseUrl.reveal(),
      queueSchema: config.queueSchema,
      timeoutMs: databaseWaitMs,
      signal,
      onWait: (reason) => logger.warn("waiting for the database", { reason }),
    })
    .catch((error: unknown) => {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartupError(`The database was not ready within ${databaseWaitMs / 1_000} s: ${reason}`, {
        cause: error,
      });
    });
  if (problem !== null) throw new ConfigurationError([{ variable: "DATABASE_URL", message: problem }]);
}
