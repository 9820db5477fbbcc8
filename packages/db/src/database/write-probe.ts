import { setTimeout as wait } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core/base";
import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

export interface WriteProbeOptions {
  /** After a successful write. Default 5,000. */
  readonly everyMs?: number;
  /** After a failed write. Default 1,000. */
  readonly retryMs?: number;
  /** The database counts as not writable when a write takes longer. Default 10,000, as for a call of the API. */
  readonly maxWriteMs?: number;
  /** Without an answer for so long, the connection may be dead, and another write is tried. Default 60,000. */
  readonly maxSilenceMs?: number;
}

/**
 * A write without effects. The message makes a WAL record, whose commit is flushed and confirmed by synchronous standbys. The rows fill a
 * temporary file of 1 MB, because tables cannot grow on a full disk either. A role with a lower temp_file_limit writes no file.
 */
const write = sql`
  select pg_logical_emit_message(true, 'reports', ''), (
    select count(*) from (
      select set_config('work_mem', '64kB', true) as memory, set_config('temp_tablespaces', '', true) as spaces,
        case when pg_size_bytes(current_setting('temp_file_limit')) between 0 and 4194304 then 0 else 50000 end as rows
      offset 0
    ) as settings
    cross join lateral generate_series(1, case when settings.memory is null then 0 else settings.rows end)
  )`;

/**
 * Makes a check that fails while Postgres takes no writes: its disk is full, or its synchronous standby does not answer. It returns the last
 * write's result, and starts another at most once per `everyMs`, so that it is quick even with a slow Postgres. A process is unready only
 * after a write took as long as a call may. At most two writes are in progress: the second is sent while the first waits on a possibly dead
 * connection.
 */
export function createWriteProbe(
  database: Pick<Database, "query">,
  { everyMs = 5_000, retryMs = 1_000, maxWriteMs = 10_000, maxSilenceMs = 60_000 }: WriteProbeOptions = {},
): () => Promise<void> {
  let failure: Error | null = new StoreUnavailableError("No write has been tried yet.");
  let writing: { readonly startedAt: number; readonly answered: Promise<void> } | null = null;
  let nextAt = Number.NEGATIVE_INFINITY;
  let isWriteStuck = false;

  const tryToWrite = (): void => {
    let sent: Promise<unknown> = Promise.resolve();
    const answered = database
      .query(async (queries) => {
        sent = Promise.resolve(queries.execute(write));
        await sent;
      })
      .then(
        () => void (failure = null),
        (error: unknown) => void (failure = error as Error),
      );
    writing = { startedAt: performance.now(), answered };
    void answered.then(async () => {
      // The call gives up before a stuck statement ends.
      const ended = sent.then(
        () => true,
        () => true,
      );
      const hasEnded =
        failure === null || isWriteStuck
          ? await ended
          : await Promise.race([ended, wait(maxSilenceMs, false, { ref: false })]);
      if (!hasEnded) {
        isWriteStuck = true;
        void ended.then(() => (isWriteStuck = false));
      }
      nextAt = performance.now() + (failure === null ? everyMs : retryMs);
      writing = null;
    });
  };

  return async () => {
    if (writing === null && performance.now() >= nextAt) tryToWrite();
    // Until it is known to work, the answer is worth waiting for; readiness has its own time limit.
    if (failure !== null) await writing?.answered;
    else if (writing !== null && performance.now() - writing.startedAt >= maxWriteMs)
      throw new StoreUnavailableError(`Postgres has not finished a write for ${maxWriteMs} ms.`);
    if (failure !== null) throw failure;
  };
}
