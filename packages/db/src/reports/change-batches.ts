import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";

/** Sends notifications of changed reports, many per commit. docs/decisions/0050-ten-thousand-reports-a-minute.md. */
export interface ChangeBatches {
  /** Queues a notification that a report changed. `end` is sent immediately, or after the pause if a batch was just sent. `step` is sent after at most 50 ms. */
  add(reportId: string, change: "end" | "step"): void;
  /** Sends the queued notifications, for two seconds at most. */
  close(): Promise<void>;
}

export interface ChangeBatchOptions {
  readonly database: Pick<Database, "query">;
  /** Longest delay in ms of a change that is not an end. Default 50. */
  readonly stepMs?: number;
  /** Pause in ms after a batch with an end. It is short, because callers wait for ends. Default 20. */
  readonly pauseMs?: number;
  /** Called if a batch failed. Its reports are sent again with the next batch. */
  readonly onFailure: (error: unknown) => void;
}

/** Notifications per statement. Each report has its own, as from the trigger, so that listeners of every version can read it. */
const maxBatch = 200;
/** Notifications that are kept while the database is unavailable. When it is back, listeners read all reports again anyway. */
const maxWaiting = 10_000;
const retryMs = 1_000;
const closeMs = 2_000;

// The commit does not wait for the disk: a crash loses notifications anyway, and commits with notifications wait for each other.
const notify = prepareStatement(
  sql`
    select pg_notify('report_changes', id), set_config('synchronous_commit', 'off', true)
    from unnest(string_to_array(${sql.placeholder("ids")}, ',')) as id`,
);

/** Creates a queue of change notifications that it sends in batches. It guarantees no delivery: waiting callers check every 15 s and so notice a lost notification. */
export function createChangeBatches(options: ChangeBatchOptions): ChangeBatches {
  const { database, stepMs = 50, pauseMs = 20, onFailure } = options;
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
      // A batch without an end causes no pause, because a small report often ends while the notification of its start is being sent.
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
    // While a batch is being sent, the time of the next one is unknown. The end of the batch schedules the waiting changes.
    if (sending !== null || at >= dueAt) return;
    dueAt = at;
    stopTimer();
    const delayMs = at - performance.now();
    // A timer takes at least a millisecond.
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
      // The queue gets shorter with each batch that is sent. If a batch failed, its reports are queued again, and this loop ends.
      for (let left = waiting.size + 1; waiting.size > 0 && waiting.size < left && performance.now() < until;) {
        left = waiting.size;
        await sendBatch();
      }
      stopTimer();
    },
  };
}
