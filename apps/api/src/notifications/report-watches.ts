import type { Report, ReportChangeFeed, ReportStore, ReportWatches } from "@reports/core/report";
import type { Logger, Metrics } from "@reports/runtime";
import type { ApiTimings } from "../clocks.ts";
import { createConcurrencyLimiter } from "../limits/concurrency-limiter.ts";
import { createReportWatch, type WakeableWatch } from "./report-watch.ts";
import { coalesceConcurrentCalls } from "./coalesce-concurrent-calls.ts";

export interface ReportWatchHubOptions {
  readonly reports: Pick<ReportStore, "find" | "findFile">;
  readonly changes: Pick<ReportChangeFeed, "listen" | "readRevisions">;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Limits of concurrent watches: in total (default 1,000), and per principal (default 20). 0 for no limit. */
  readonly maxWatches?: number;
  readonly maxWatchesPerPrincipal?: number;
  readonly clocks: Pick<ApiTimings, "livePollMs" | "lostPollMs">;
}

export interface ReportWatchHub extends ReportWatches {
  start(): void;
  close(): void;
}

interface WatchedReport {
  readonly watches: Set<WakeableWatch>;
  readonly load: () => Promise<Report | null>;
  /** The report as it was last read, which all watches share. Null if it must be read again, because it may have changed. */
  current: Promise<Report | null> | null;
  revision: number | null;
}

/**
 * Creates the watches on all reports. One Postgres connection listens for changes. A query also polls all watched reports, more often while that
 * connection is lost. A changed report is read once for all its watches.
 */
export function createReportWatchHub(options: ReportWatchHubOptions): ReportWatchHub {
  const { reports, changes, logger, maxWatches = 1_000, maxWatchesPerPrincipal = 20 } = options;
  const watched = new Map<string, WatchedReport>();
  const slots = createConcurrencyLimiter(
    { total: maxWatches, perPrincipal: maxWatchesPerPrincipal },
    {
      code: "too-many-watches",
      quota: "watches",
      counted: "requests that wait for reports",
      advice: "poll the record instead",
      retryAfterSeconds: 5,
    },
  );
  let isLive = false;
  let isClosed = false;
  let pollTimer: NodeJS.Timeout | undefined;

  const createEntry = (id: string, ofReport: string | undefined): WatchedReport => ({
    watches: new Set(),
    load: coalesceConcurrentCalls(async () =>
      ofReport === undefined ? reports.find(id) : reports.findFile(ofReport, id),
    ),
    current: null,
    revision: null,
  });
  const touch = (entry: WatchedReport): void => {
    entry.current = null;
    for (const watch of entry.watches) watch.wake("changed");
  };
  const poll = async (): Promise<void> => {
    const entries = new Map(watched);
    if (entries.size > 0) {
      const revisions = await changes.readRevisions([...entries.keys()]);
      for (const [id, entry] of entries) if ((revisions.get(id) ?? null) !== entry.revision) touch(entry);
    }
  };
  const schedulePoll = (): void => {
    clearTimeout(pollTimer);
    if (isClosed) return;
    const delayMs = isLive ? options.clocks.livePollMs : options.clocks.lostPollMs;
    pollTimer = setTimeout(() => {
      void poll()
        .catch((error: unknown) => logger.debug("watched reports cannot be read", { error }))
        .then(schedulePoll);
    }, delayMs);
  };

  registerWatchMetrics(options.metrics, { count: () => slots.held, limit: maxWatches, isLive: () => isLive });

  const read = async (entry: WatchedReport): Promise<Report | null> => {
    entry.current ??= entry.load();
    const reading = entry.current;
    try {
      const report = await reading;
      if (entry.current === reading) entry.revision = report?.revision ?? null;
      return report;
    } catch (error) {
      if (entry.current === reading) Object.assign(entry, { current: null, revision: null });
      throw error;
    }
  };

  return {
    start() {
      changes.listen({
        onChange(id) {
          const entry = watched.get(id);
          if (entry !== undefined) touch(entry);
        },
        onLive() {
          if (!isLive) logger.info("listening for report changes");
          isLive = true;
          for (const entry of watched.values()) touch(entry);
          schedulePoll();
        },
        onLost(error) {
          if (isLive) logger.warn("report change notifications lost, polling instead", { error });
          isLive = false;
          schedulePoll();
        },
      });
      schedulePoll();
    },
    close() {
      isClosed = true;
      clearTimeout(pollTimer);
      for (const { watches } of watched.values()) for (const watch of watches) watch.wake("closed");
    },
    open(id, principalId, ofReport) {
      const release = slots.acquire(principalId);
      const entry = watched.get(id) ?? createEntry(id, ofReport);
      watched.set(id, entry);
      // The shared copy of the report may be outdated, so the next call of the new watch reads the report again.
      entry.current = null;
      const watch = createReportWatch({
        read: async () => read(entry),
        isClosed: () => isClosed,
        onDispose(disposed) {
          entry.watches.delete(disposed);
          if (entry.watches.size === 0 && watched.get(id) === entry) watched.delete(id);
          release();
        },
      });
      entry.watches.add(watch);
      return watch;
    },
  };
}

function registerWatchMetrics(metrics: Metrics, hub: { count(): number; limit: number; isLive(): boolean }): void {
  metrics.polledGauge(
    { name: "report_watches", help: "Callers that are waiting for a report or following its event stream." },
    () => [{ value: hub.count() }],
  );
  metrics.polledGauge(
    {
      name: "report_watches_limit",
      help: "Highest number of such callers at this instance (WATCH_LIMIT); no value if there is no limit.",
    },
    () => (hub.limit === 0 ? [] : [{ value: hub.limit }]),
  );
  metrics.polledGauge(
    {
      name: "report_changes_live",
      help: "1 while changes of reports arrive as Postgres notifications, 0 while they are polled.",
    },
    () => [{ value: hub.isLive() ? 1 : 0 }],
  );
}
