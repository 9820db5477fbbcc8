import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";

/** Sends notifications of changed reports in batches: docs/decisions/0050-ten-thousand-reports-a-minute.md. */
export interface ReportChangeNotifier {
  /** Queues a notification. An `end` is sent immediately, or `pauseMs` after the last batch with an end. A `step` is sent within `stepMs`. */
  add(reportId: string, change: "end" | "step"): void;
  close(): Promise<void>;
}

export interface ReportChangeNotifierOptions {
  readonly database: Pick<Database, "query">;
  /** Longest delay in ms of a `step`, the notification of any change except the end of a report. Default: 50. */
  readonly stepMs?: number;
  /** Pause in ms after a batch with an `end`. It is shorter than `stepMs`, because callers wait for ends. Default: 20. */
  readonly pauseMs?: number;
  /** How long in ms `close` sends queued notifications. Default: 2,000. */
  readonly closeMs?: number;
  readonly onFailure: (error: unknown) => void;
}

/** Notifications per statement. Each names one report, like those of the database trigger, so that older listeners understand it. */
const maxBatch = 200;
/** Maximum number of queued notifications. More are dropped, because listeners read all reports again after Postgres was unavailable. */
const maxWaiting = 10_000;
const retryMs = 1_000;

// Commits with notifications wait for each other, so they must not also wait for the disk. A crash loses notifications in any case.
const notify = prepareStatement(
  sql`
    select pg_notify('report_changes', id), set_config('synchronous_commit', 'off', true)
    from unnest(string_to_array(${sql.placeholder("ids")}, ',')) as id`,
);

/** A notification may be lost, for example if the process dies. A waiting request reads its report every 15 s, and so still ends. */
export function createReportChangeNotifier(options: ReportChangeNotifierOptions): ReportChangeNotifier {
  const { database, stepMs = 50, pauseMs = 20, closeMs = 2_000, onFailure } = options;
  const waiting = new Set<string>();
  let hasEnd = false;
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let notBefore = 0;
  let sending: Promise<void> | null = null;

  const sendBatch = async (): Promise<void> => {
    const ids = [...waiting].slice(0, maxBatch);
    for (const id of ids) waiting.delete(id);
    const hadEnd = hasEnd;
    hasEnd = false;
    try {
      await database.query(async (queries) => notify(queries, { ids: ids.join(",") }));
      // A batch of steps causes no pause. Otherwise a short report, which ends while its start is being notified, would be notified late.
      if (hadEnd) notBefore = performance.now() + pauseMs;
    } catch (error) {
      for (const id of ids.slice(0, maxWaiting - waiting.size)) waiting.add(id);
      notBefore = performance.now() + retryMs;
      onFailure(error);
    }
  };
  const send = (): void => {
    dueAt = Number.POSITIVE_INFINITY;
    sending = sendBatch().finally(() => {
      sending = null;
      if (waiting.size > 0) schedule(hasEnd ? 0 : performance.now() + stepMs);
    });
  };
  const schedule = (requestedAt: number): void => {
    const at = Math.max(requestedAt, notBefore);
    if (sending !== null || at >= dueAt) return;
    dueAt = at;
    stopTimer();
    const delayMs = at - performance.now();
    if (delayMs <= 0) immediate = setImmediate(send);
    else timer = setTimeout(send, delayMs);
  };
  const stopTimer = (): void => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };

  return {
    add(reportId, change) {
      if (waiting.size >= maxWaiting) return;
      waiting.add(reportId);
      hasEnd ||= change === "end";
      schedule(performance.now() + (change === "end" ? 0 : stepMs));
    },
    async close() {
      stopTimer();
      const until = performance.now() + closeMs;
      await sending;
      stopTimer();
      // A failed batch puts its reports back into the queue. The loop then ends, because the queue has not become shorter.
      for (let left = waiting.size + 1; waiting.size > 0 && waiting.size < left && performance.now() < until;) {
        left = waiting.size;
        await sendBatch();
      }
      stopTimer();
    },
  };
}
