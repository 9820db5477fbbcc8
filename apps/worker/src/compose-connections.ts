import { findAddressProblems, readTransports, waitForDatabase } from "@reports/db";
import { ConfigurationError, databaseUrlsOf, httpTransport, warnOfPlainText, type Logger } from "@reports/runtime";
import type { WorkerConfig } from "./config.ts";

/** How long a start waits for a database that is away, or for a migration that somebody else is running. */
const databaseWaitMs = 60_000;

/**
 * Looks at every address that the process will connect to, before it does: throws ConfigurationError for what the database drivers would not
 * agree on, and warns in production of what goes unencrypted to another machine.
 */
export function checkConnections(config: WorkerConfig, logger: Logger): void {
  const urls = databaseUrlsOf(config);
  const problems = findAddressProblems(urls);
  if (problems.length > 0) throw new ConfigurationError(problems);
  if (!config.isProduction) return;
  const store = config.minioEndpoint === undefined ? [] : [httpTransport("MINIO_ENDPOINT", config.minioEndpoint)];
  warnOfPlainText([...readTransports(urls), ...store], logger);
}

/** Waits for the database, and says so. Rejects with ConfigurationError for what waiting cannot mend. */
export async function untilDatabaseIsReady(
  config: Pick<WorkerConfig, "databaseUrl" | "queueSchema">,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const problem = await waitForDatabase({
    databaseUrl: config.databaseUrl.reveal(),
    queueSchema: config.queueSchema,
    timeoutMs: databaseWaitMs,
    signal,
    onWait: (reason) => logger.warn("waiting for the database", { reason }),
  });
  if (problem !== null) throw new ConfigurationError([{ variable: "DATABASE_URL", message: problem }]);
}
