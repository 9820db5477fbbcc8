import { setTimeout as wait } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core/base";
import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

export interface WriteProbeOptions {
  /** Pause in ms after a successful write. Default 5,000. */
  readonly everyMs?: number;
  /** Pause in ms after a failed write. Default 1,000. */
  readonly retryMs?: number;
  /** Milliseconds after which an unfinished write means that the database is not writable. Default 10,000, as for a call of the API. */
  readonly maxWriteMs?: number;
  /** Milliseconds after which a connection without a response may be dead, so that another write is sent. Default 60,000. */
  readonly maxSilenceMs?: number;
}

/**
 * A write without effects. The message creates a WAL record; its commit is flushed and confirmed by synchronous standbys. The generated
 * rows fill a temporary file of 1 MB, because a full disk also prevents tables from growing. If temp_file_limit is below 4 MB, it writes no
 * file.
 */
const probeStatement = sql`
  select pg_logical_emit_message(true, 'reports', ''), (
    select count(*) from (
      select set_config('work_mem', '64kB', true) as memory, set_config('temp_tablespaces', '', true) as spaces,
        case when pg_size_bytes(current_setting('temp_file_limit')) between 0 and 4194304 then 0 else 50000 end as rows
      offset 0
    ) as settings
    cross join lateral generate_series(1, case when settings.memory is null then 0 else settings.rows end)
  )`;

/**
 * Creates a check that rejects while Postgres accepts no writes, because its disk is full or its synchronous standby does not respond. The
 * check returns the result of the last write, so that it is fast even if Postgres is slow. It starts another write at most once per
 * `everyMs`. The process becomes unready only after a write took longer than a call may. At most two writes are in progress: the second is
 * sent while the first waits on a possibly dead connection.
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
        sent = Promise.resolve(queries.execute(probeStatement));
        await sent;
      })
      .then(
        () => void (failure = null),
        (error: unknown) => void (failure = error as Error),
      );
    writing = { startedAt: performance.now(), answered };
    void answered.then(async () => {
      // If the statement is stuck, the call rejects at its deadline, before the statement ends.
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
    // While no write is known to have succeeded, waits for the current one. The readiness check has its own time limit.
    if (failure !== null) await writing?.answered;
    else if (writing !== null && performance.now() - writing.startedAt >= maxWriteMs)
      throw new StoreUnavailableError(`Postgres has not finished a write for ${maxWriteMs} ms.`);
    if (failure !== null) throw failure;
  };
}
