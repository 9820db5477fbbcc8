import { setTimeout as wait } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core/base";
import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

export interface WriteCheckOptions {
  /** Pause in ms after a successful write. Default 5,000. */
  readonly everyMs?: number;
  /** Pause in ms after a failed write. Default 1,000. */
  readonly retryMs?: number;
  /** A write that takes longer than this many ms makes the check fail. Default 10,000, as for a call of the API. */
  readonly maxWriteMs?: number;
  /** How long in ms a write may get no response until the connection counts as dead and another write is sent. Default 60,000. */
  readonly maxSilenceMs?: number;
}

/**
 * Writes like a start does, but leaves nothing behind. The message creates a WAL record, which Postgres flushes and synchronous standbys confirm.
 * The rows fill a temporary file of 1 MB, because tables can't grow on a full disk. With a temp_file_limit below 4 MB, no file is written.
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
 * Creates a check that rejects while Postgres accepts no writes: its disk is full, or its synchronous standby does not respond. The check returns
 * the result of the last write, so that it is fast although Postgres is slow. It starts at most one write per `everyMs`, or per `retryMs` after a
 * failure. A slow write makes it reject only after `maxWriteMs`. It sends a second write if the first may wait on a dead connection.
 */
export function createWriteCheck(
  database: Pick<Database, "query">,
  { everyMs = 5_000, retryMs = 1_000, maxWriteMs = 10_000, maxSilenceMs = 60_000 }: WriteCheckOptions = {},
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
      // At its deadline, `answered` completes although the query may still be running. `sent` is the query itself.
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
    // If the last write failed or no write has ended yet, the check waits for the current write. The caller limits that wait.
    if (failure !== null) await writing?.answered;
    else if (writing !== null && performance.now() - writing.startedAt >= maxWriteMs)
      throw new StoreUnavailableError(`Postgres has not finished a write for ${maxWriteMs} ms.`);
    if (failure !== null) throw failure;
  };
}
