import type { ReportSources } from "@reports/core/report";
import {
  createAttemptDatabase,
  createReportChangeNotifier,
  createDatabase,
  createDatabaseClock,
  createSourceDatabases,
  databaseConnectionFunctions,
  waitUntilWritable,
  type Database,
  type SourceDatabases,
} from "@reports/db";
import { registerDatabaseCallMetrics, waitUntilDatabaseIsReady, type LifecycleStep } from "@reports/runtime";
import { assertDedicatedSessions, selectReportSources } from "./sources/compose-report-sources.ts";
import type { WorkerContext } from "./worker-parts.ts";

export interface WorkerDatabases {
  readonly database: Database;
  /**
   * Separate connections for the writes of attempts. On them, the database trigger sends no change notifications, because `changes` does. Plans use
   * indexes only.
   */
  readonly attempts: ReturnType<typeof createAttemptDatabase>;
  readonly sources: ReportSources;
  readonly sourceDatabases: SourceDatabases;
  readonly clock: ReturnType<typeof createDatabaseClock>;
  readonly changes: ReturnType<typeof createReportChangeNotifier>;
  readonly step: LifecycleStep;
}

export function composeDatabases({ config, catalogue, metrics, logger }: WorkerContext): WorkerDatabases {
  const shared = { url: config.databaseUrl.reveal(), queueSchema: config.queueSchema };
  const sources = selectReportSources(config, catalogue.list());
  const database = createDatabase({ ...shared, max: 4 });
  registerDatabaseCallMetrics(metrics, database.load);
  const attempts = createAttemptDatabase({ ...shared, max: config.concurrency });
  const sourceDatabases = createSourceDatabases(sources);
  const step: LifecycleStep = {
    name: "database",
    async start(signal) {
      await waitUntilDatabaseIsReady(config, databaseConnectionFunctions, logger, signal);
      await assertDedicatedSessions(sources, logger, signal);
      await waitUntilWritable(database, {
        signal,
        onWait: (error) =>
          logger.warn("waiting until Postgres accepts writes; no reports are run until then", { error }),
      });
    },
    async stop() {
      await Promise.all([database, attempts, ...sourceDatabases.values()].map((each) => each.close()));
    },
  };
  return {
    database,
    attempts,
    sources,
    sourceDatabases,
    clock: createDatabaseClock(database, { onFailure: (error) => logger.debug("clock not read", { error }) }),
    changes: createReportChangeNotifier({
      database,
      onFailure: (error) =>
        logger.debug("changed reports could not be announced to the API instances, retrying", { error }),
    }),
    step,
  };
}
