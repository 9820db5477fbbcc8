import { databaseUrlsOf } from "./environment/database-urls.ts";
import type { Secret } from "./environment/secret.ts";
import type { Logger } from "./log/logger.ts";
import { toHttpDestination, warnAboutPlaintext, type ConfiguredDestination } from "./plain-text.ts";
import { ConfigurationError, StartupError } from "./startup-error.ts";

/** Functions of `@reports/db`, which the caller passes, because this package may not import that one. */
export interface DatabaseConnectionFunctions {
  /** Checks the given database URLs before anything connects. `urls` maps the name of an environment variable to its URL. Returns the problems. */
  findAddressProblems(
    urls: Readonly<Record<string, string>>,
  ): readonly { readonly variable: string; readonly message: string }[];
  /** Lets new connections to `url` use the current password, which is in the URL that `readUrl` returns when a connection is opened. */
  followPassword(url: string, readUrl: () => string): void;
  readTransports(urls: Readonly<Record<string, string>>): readonly ConfiguredDestination[];
  /** Resolves with null when the database is ready, or with the description of a problem that waiting can't fix. Rejects after `timeoutMs`. */
  waitForDatabase(options: {
    readonly databaseUrl: string;
    readonly queueSchema: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onWait: (reason: string) => void;
  }): Promise<string | null>;
}

/** How long a starting process waits for an unavailable database or a running migration, in milliseconds. */
const databaseWaitMs = 60_000;

/**
 * Lets new database connections use passwords that were changed in their files. Throws ConfigurationError for a URL that the two database drivers
 * would read differently. In production, logs a warning about unencrypted connections.
 */
export function prepareDatabaseConnections(
  config: Parameters<typeof databaseUrlsOf>[0] & {
    readonly minioEndpoint?: string | undefined;
    readonly isProduction: boolean;
  },
  databases: DatabaseConnectionFunctions,
  logger: Logger,
): void {
  const secrets = Object.entries(databaseUrlsOf(config));
  const urls = Object.fromEntries(secrets.map(([variable, url]) => [variable, url.reveal()]));
  for (const [, url] of secrets) databases.followPassword(url.reveal(), () => url.current());
  const problems = databases.findAddressProblems(urls);
  if (problems.length > 0) throw new ConfigurationError(problems);
  if (!config.isProduction) return;
  const store = config.minioEndpoint === undefined ? [] : [toHttpDestination("MINIO_ENDPOINT", config.minioEndpoint)];
  warnAboutPlaintext([...databases.readTransports(urls), ...store], logger);
}

/** Waits for the database. Rejects with ConfigurationError if waiting can't fix the problem, and with StartupError after 60 s. */
export async function waitUntilDatabaseIsReady(
  config: { readonly databaseUrl: Secret; readonly queueSchema: string },
  databases: Pick<DatabaseConnectionFunctions, "waitForDatabase">,
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
