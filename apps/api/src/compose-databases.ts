import { mainReportSource, type PreviewReader, type ReportSources } from "@reports/core/report";
import {
  createDatabase,
  createListConnectionPool,
  createReportPreviewReader,
  createRowEstimator,
  createSourceDatabases,
  type Database,
  type ListConnectionPool,
  type RowEstimator,
} from "@reports/db";
import { reportSourcesOf } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";

export interface ApiDatabases {
  readonly database: Database;
  readonly listDatabase: ListConnectionPool;
  readonly previews: PreviewReader;
  readonly sources: ReportSources;
  readonly rowSizes: RowEstimator;
  close(): Promise<void>;
}

export function composeDatabases(config: ApiConfig): ApiDatabases {
  const url = config.databaseUrl.reveal();
  const database = createDatabase({ url, max: config.databaseConnections, queueSchema: config.queueSchema });
  const listDatabase = createListConnectionPool({
    url,
    max: config.listConnections,
    deadlineMs: config.listTimeoutSeconds * 1000,
  });
  const sources = reportSourcesOf(config);
  const sourceDatabases = createSourceDatabases(sources);
  const rowSizes = createRowEstimator(database, sourceDatabases);
  const previews = createReportPreviewReader(
    { ...sources, [mainReportSource]: { url, engine: "postgres" } },
    { connections: config.previewConnections, deadlineMs: config.previewTimeoutSeconds * 1000 },
    rowSizes,
  );
  return {
    database,
    listDatabase,
    previews,
    sources,
    rowSizes,
    async close() {
      const all = [database, listDatabase, previews, ...sourceDatabases.values()];
      await Promise.all(all.map(async (each) => each.close()));
    },
  };
}
