import type { TransactionSql } from "postgres";
import { waitFor } from "../wait-for.ts";

/**
 * Resolves when another session waits for what the given transaction holds. Asked of the locks: `pg_stat_activity` goes on showing a transaction
 * what it saw there first, and the locks of others are those of other tests as well.
 */
export async function untilSomebodyWaitsFor(transaction: TransactionSql): Promise<void> {
  await waitFor(
    async () =>
      (await transaction`select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`)
        .length > 0,
    { what: "another session to wait for this transaction" },
  );
}
