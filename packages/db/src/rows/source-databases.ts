import type { ReportSources } from "@reports/core";
import { createDatabase, type Database } from "../database/database.ts";
import { hostUrls } from "../database/host-urls.ts";

/** Of each source by its name the databases of its hosts, in their order. */
export type SourceDatabases = ReadonlyMap<string, readonly Database[]>;

/** Opens a small pool for each host of each source, for questions to the planner. Connects at the first call; the caller closes them. */
export function createSourceDatabases(sources: ReportSources): SourceDatabases {
  // Answers are wanted at once or not at all: a start waits for them.
  const limits = {
    database: "source",
    max: 2,
    connectTimeoutMs: 1_000,
    deadlineMs: 1_000,
    maxWaiting: 20,
    applicationName: "reports-estimate",
  } as const;
  return new Map(
    Object.entries(sources).map(([name, { url }]) => [
      name,
      hostUrls(url).map((host) => createDatabase({ ...limits, url: host })),
    ]),
  );
}
