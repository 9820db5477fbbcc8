import { setTimeout as wait } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core/base";
import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

/** How often a probe writes. Tests make the times shorter. */
export interface WriteProbeOptions {
  /** After a write that succeeded. Default 5,000. */
  readonly everyMs?: number;
  /** After a write that failed. Default 1,000. */
  readonly againMs?: number;
  /** How long a write may be under way before the database counts as not writable. Default 10,000, as for a call of the API. */
  readonly patienceMs?: number;
  /** After how long without an answer the connection of a write can be dead, so that another write is tried. Default 60,000. */
  readonly deadMs?: number;
}

/**
 * A write that changes nothing and leaves nothing. The message makes a record of the log, whose commit is flushed to disk and, with synchronous
 * standbys, confirmed by them. The rows fill a temporary file of 1 MB in the default tablespace, because tables cannot grow on a full disk
 * either. A role whose temp_file_limit is lower writes no such file.
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
 * Creates a check that fails while Postgres takes no writes: its disk is full, or its synchronous standby does not answer. It answers from the
 * last write, and starts the next one at most once per `everyMs`. So the check is quick even if Postgres is slow. A process is
 * unready only after a write has taken as long as a call may. At most two writes are under way: the second one is sent while the
 * first one waits on a connection that can be dead.
 */
export function createWriteProbe(
  database: Pick<Database, "query">,
  { everyMs = 5_000, againMs = 1_000, patienceMs = 10_000, deadMs = 60_000 }: WriteProbeOptions = {},
): () => Promise<void> {
  let failure: Error | null = new StoreUnavailableError("No write has been tried yet.");
  let writing: { readonly startedAt: number; readonly answered: Promise<void> } | null = null;
  let nextAt = Number.NEGATIVE_INFINITY;
  let isOneStuck = false;

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
        failure === null || isOneStuck ? await ended : await Promise.race([ended, wait(deadMs, false, { ref: false })]);
      if (!hasEnded) {
        isOneStuck = true;
        void ended.then(() => (isOneStuck = false));
      }
      nextAt = performance.now() + (failure === null ? everyMs : againMs);
      writing = null;
    });
  };

  return async () => {
    if (writing === null && performance.now() >= nextAt) tryToWrite();
    // While it is not known to work, the answer is worth waiting for; readiness has a time limit.
    if (failure !== null) await writing?.answered;
    else if (writing !== null && performance.now() - writing.startedAt >= patienceMs)
      throw new StoreUnavailableError(`Postgres has not finished a write for ${patienceMs} ms.`);
    if (failure !== null) throw failure;
  };
}
