import { DomainError, StoreUnavailableError } from "@reports/core/base";
import type { ReportSources } from "@reports/core/report";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { splitHostUrls } from "../database/host-urls.ts";
import { createListConnectionPool } from "../database/list-connection-pool.ts";
import type { Queries } from "../database/queries.ts";
import { firstErrorCodeOf, isPostgresError, isConnectionFatal } from "../database/store-error.ts";
import { sourceEngineProperties, type SourceEngineProperties } from "./source-engine-properties.ts";
import { applySourceSettingsTo } from "../database/source-session-options.ts";

/** Time limits in ms: of opening a connection, of a whole read including the wait for a connection, and of a count. */
const readLimits = { connectMs: 1_000, deadlineMs: 1_500, countMs: 500 };
export const maxConcurrentCounts = 2;

const tooSlowCode = "preview-too-slow";

export interface SourceHost {
  plan<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  count<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

export interface SourceDatabase {
  readonly engine: SourceEngineProperties;
  readonly hosts: readonly SourceHost[];
  close(): Promise<void>;
}

export type SourceDatabases = ReadonlyMap<string, SourceDatabase>;

/**
 * Creates the databases in which the rows of all sources are estimated and counted, not read. Each connects at its first call, with at most two
 * connections per host. The caller must close them. @param limits by default those of production; longer ones are for tests on a busy machine
 */
export function createSourceDatabases(
  sources: ReportSources,
  limits: Partial<typeof readLimits> = {},
): SourceDatabases {
  const { connectMs, deadlineMs, countMs } = { ...readLimits, ...limits };
  const late = (): DomainError => new DomainError("unavailable", tooSlowCode, "Rows take too long to count.");
  return new Map(
    Object.entries(sources).map(([name, { url, engine: engineName }]) => {
      const engine = sourceEngineProperties[engineName];
      const databases = splitHostUrls(url).map((host) =>
        createListConnectionPool({
          url: host,
          database: "source",
          max: maxConcurrentCounts,
          deadlineMs,
          connectTimeoutMs: connectMs,
          applicationName: "reports-estimate",
          timeoutErrors: { tooSlow: late, waitedTooLong: late },
        }),
      );
      const hosts = databases.map((database): SourceHost => {
        const count: SourceHost["count"] = async (work) => {
          let stage: "waiting" | "connecting" | "asking" = "waiting";
          try {
            return await database.read(async (queries) => {
              stage = "connecting";
              await applySourceSettingsTo(queries, {
                mayRefuse: engine.mayRefuse,
                settings: { statement_timeout: String(countMs), default_transaction_read_only: "on" },
              });
              stage = "asking";
              return work(queries);
            }, new AbortController().signal);
          } catch (error) {
            // If the host refuses the session settings, no report type can be read from it. So the whole host counts as unavailable.
            if ((stage as string) === "connecting") throw new StoreUnavailableError("The source gives no session.");
            throw error;
          }
        };
        return { plan: count, count };
      });
      const close = async (): Promise<void> =>
        void (await Promise.all(databases.map(async (database) => database.close())));
      return [name, { engine, hosts, close }];
    }),
  );
}

export function isQueryCanceled(error: unknown): boolean {
  return firstErrorCodeOf(error) === "57014";
}

/** Reports whether an error means that the host does not serve at all. Otherwise it concerns only the report type of the statement. */
export function isHostUnavailableError(error: unknown): boolean {
  return isPostgresError(error) ? isConnectionFatal(error) : error instanceof StoreUnavailableError;
}

/** Returns the source `main` over the connections of `database`. @param limits by default those of production; longer ones are for tests */
export function createMainSourceDatabase(
  database: Database,
  limits: Partial<Pick<typeof readLimits, "countMs">> = {},
): Omit<SourceDatabase, "close"> {
  const { countMs } = { ...readLimits, ...limits };
  const host: SourceHost = {
    plan: async (work) => database.query(work),
    count: async (work) =>
      database.transaction(async (queries) => {
        await queries.execute(sql`
          select set_config('statement_timeout', ${String(countMs)}, true), set_config('transaction_read_only', 'on', true)`);
        return work(queries);
      }),
  };
  return { engine: sourceEngineProperties.postgres, hosts: [host] };
}
