import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";

/** Announces changed reports, many per commit. docs/decisions/0050-ten-thousand-reports-a-minute.md. */
export interface ChangeBatches {
  /** Queues a change notification. An end is sent immediately unless a batch was just sent, anything else after 50 ms at most. */
  add(reportId: string, change: "end" | "step"): void;
  /** Sends the rest, for two seconds at most. */
  close(): Promise<void>;
}

export interface ChangeBatchOptions {
  readonly database: Pick<Database, "query">;
  /** Delay of a change other than an end. Default 50. */
  readonly stepMs?: number;
  /** Shortest pause after a batch with an end: short, because callers wait for ends. Default 20. */
  readonly pauseMs?: number;
  /** Called if a batch failed; its reports are sent with the next one. */
  readonly onFailure: (error: unknown) => void;
}

/** Per statement. Each report is its own notification, as the trigger's, so that listeners of every version read it. */
const maxBatch = 200;
/** While the database is unavailable. Listeners check everything anyway when it returns. */
const maxWaiting = 10_000;
const retryMs = 1_000;
const closeMs = 2_000;

// The commit is not awaited: a crash loses notifications anyway, and commits with notifications wait for each other.
const notify = prepareStatement(
  sql`
    select pg_notify('report_changes', id), set_config('synchronous_commit', 'off', true)
    from unnest(string_to_array(${sql.placeholder("ids")}, ',')) as id`,
);

/** Batches change notifications, without guarantees: waiting callers check every 15 s, so a lost one is noticed. */
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
      // A small report ends just when its beginning is sent.
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
    // While a batch is in progress, the time of the next one is unknown; its end handles waiting changes.
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
      // A failed batch returns to the queue; a sent one shortens it.
      for (let left = waiting.size + 1; waiting.size > 0 && waiting.size < left && performance.now() < until;) {
        left = waiting.size;
        await sendBatch();
      }
      stopTimer();
    },
  };
}
