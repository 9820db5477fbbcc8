import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";

/** Tells who listens which reports have changed, many of them in one commit. docs/decisions/0050-ten-thousand-reports-a-minute.md. */
export interface ChangeBatches {
  /** Has a report told that has changed, or may have: an end at once if no other was told just now, anything else 50 ms later at most. */
  tell(reportId: string, change: "end" | "step"): void;
  /** Tells what is left, for two seconds at most. */
  close(): Promise<void>;
}

/** How batches are made. Tests make the times longer. */
export interface ChangeBatchOptions {
  readonly database: Pick<Database, "query">;
  /** How long a change waits that is no end. Default 50. */
  readonly stepMs?: number;
  /** Shortest time from a batch with an end to the next one: short, because whoever waits for an end notices it. Default 20. */
  readonly pauseMs?: number;
  /** Called when a batch could not be sent; its reports are told with the next one. */
  readonly onFailure: (error: unknown) => void;
}

/** Of one statement. A report is a notification of its own, as the trigger makes them: listeners of every version read it. */
const maxBatch = 200;
/** Reports that wait for a database that is away. Whoever listens looks at everything anyway once it is back. */
const maxWaiting = 10_000;
const retryMs = 1_000;
const closeMs = 2_000;

// The commit is not waited for: a notification is lost with the server in any case, and notifying commits wait for one another.
const notify = prepareStatement(
  sql`
    select pg_notify('report_changes', id), set_config('synchronous_commit', 'off', true)
    from unnest(string_to_array(${sql.placeholder("ids")}, ',')) as id`,
);

/**
 * Collects changes and sends them in batches. Nothing is promised: what is lost with the process is found by those who wait, who look by
 * themselves every 15 s.
 */
export function createChangeBatches(options: ChangeBatchOptions): ChangeBatches {
  const { database, stepMs = 50, pauseMs = 20, onFailure } = options;
  const waiting = new Set<string>();
  let hasEnd = false;
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  /** Before this moment nothing is sent. */
  let notBefore = 0;
  let sending: Promise<void> | null = null;

  const sendBatch = async (): Promise<void> => {
    const ids = [...waiting].slice(0, maxBatch);
    for (const id of ids) waiting.delete(id);
    const toldEnd = hasEnd;
    hasEnd = false;
    try {
      await database.query(async (queries) => notify(queries, { ids: ids.join(",") }));
      // A small report ends just when its beginning is told.
      if (toldEnd) notBefore = performance.now() + pauseMs;
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
  const schedule = (wantedAt: number): void => {
    const at = Math.max(wantedAt, notBefore);
    // While a batch is under way nobody knows when the next one may go; whatever waits then is seen to afterwards.
    if (sending !== null || at >= dueAt) return;
    dueAt = at;
    stopTimer();
    const delayMs = at - performance.now();
    // A timer takes a millisecond at least.
    if (delayMs <= 0) immediate = setImmediate(send);
    else timer = setTimeout(send, delayMs);
  };
  const stopTimer = (): void => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };

  return {
    tell(reportId, change) {
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
      // A batch that fails comes back, and one that goes makes less of what waits.
      for (let left = waiting.size + 1; waiting.size > 0 && waiting.size < left && performance.now() < until;) {
        left = waiting.size;
        await sendBatch();
      }
      stopTimer();
    },
  };
}
