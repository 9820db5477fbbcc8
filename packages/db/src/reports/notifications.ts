import { addAbortListener } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailableError, awaitUnlessAborted } from "@reports/core/base";
import type { ReportChangeListener, ReportChangeFeed } from "@reports/core/report";
import { inArray } from "drizzle-orm";
import { withQueryTimeout } from "../database/query-timeout.ts";
import type { Database } from "../database/database.ts";
import { connectPgClient, destroySocket } from "../database/pg-connection.ts";
import { reports } from "../schema/reports.ts";

export interface ReportChangeFeedOptions {
  /** The URL of Postgres itself. A pooler that shares sessions, such as PgBouncer, drops notifications. */
  readonly url: string;
  readonly database: Database;
  /** Interval in ms of the queries that check the listening connection, and the time limit of each. Default: 10,000. */
  readonly heartbeatMs?: number;
  /** Longest pause in ms between two attempts to connect. Default: 5,000. */
  readonly maxBackoffMs?: number;
}

const channel = "report_changes";

export function createReportChangeFeed(options: ReportChangeFeedOptions): ReportChangeFeed {
  const closing = new AbortController();
  let listening: Promise<void> = Promise.resolve();
  return {
    listen(listener) {
      listening = keepListening(options, listener, closing.signal);
    },
    readRevisions: async (reportIds) =>
      options.database.query(async (queries) => {
        const rows = await queries
          .select({ id: reports.id, revision: reports.revision })
          .from(reports)
          .where(inArray(reports.id, [...reportIds]));
        return new Map(rows.map(({ id, revision }) => [id, revision]));
      }),
    async close() {
      closing.abort();
      await listening;
    },
  };
}

async function keepListening(
  options: ReportChangeFeedOptions,
  listener: ReportChangeListener,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const onLive = (): void => {
    failures = 0;
    listener.onLive();
  };
  while (!signal.aborted) {
    try {
      await listenUntilLost(options, { onChange: (id) => listener.onChange(id), onLive }, signal);
    } catch (error) {
      if (signal.aborted) return;
      listener.onLost(error);
    }
    const backoffMs = Math.min(options.maxBackoffMs ?? 5_000, 100 * 2 ** failures++);
    // After a failure of Postgres, all processes lose their connections at the same moment. Random pauses spread their reconnects.
    await delay(backoffMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}

async function listenUntilLost(
  { url, heartbeatMs = 10_000 }: ReportChangeFeedOptions,
  listener: Omit<ReportChangeListener, "onLost">,
  signal: AbortSignal,
): Promise<never> {
  const client = await connectPgClient(
    { url, database: "service", connectTimeoutMs: 5_000, applicationName: "reports-listen" },
    signal,
  );
  // Promise.race would add a handler per call to a promise that lives as long as the connection, which leaks memory. So an AbortSignal is used.
  const losing = new AbortController();
  const lose = (error: unknown): void => losing.abort(error);
  const unlessLost = async <Result>(work: Promise<Result>): Promise<Result> => awaitUnlessAborted(work, losing.signal);
  const over = new AbortController();
  client.on("error", lose);
  client.on("end", () => lose(new StoreUnavailableError("Postgres has closed the connection for notifications.")));
  client.on("notification", ({ payload }) => {
    if (payload !== undefined) listener.onChange(payload);
  });
  using _ = addAbortListener(signal, () => lose(signal.reason));
  try {
    signal.throwIfAborted();
    await unlessLost(withQueryTimeout(client.query(`listen ${channel}`), heartbeatMs));
    listener.onLive();
    for (;;) {
      await unlessLost(delay(heartbeatMs, undefined, { signal: over.signal }));
      await unlessLost(withQueryTimeout(client.query("select 1"), heartbeatMs));
    }
  } finally {
    over.abort();
    destroySocket(client);
  }
}
