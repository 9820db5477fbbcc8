import type { TransactionSql } from "postgres";
import { waitFor, type WaitOptions } from "../wait-for.ts";

/** Resolves when another session waits for a lock of this transaction. Reads pg_locks: pg_stat_activity does not change within a transaction. */
export async function waitForBlockedSession(
  transaction: TransactionSql,
  options: Pick<WaitOptions, "timeoutMs"> = {},
): Promise<void> {
  await waitFor(
    async () =>
      (await transaction`select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`)
        .length > 0,
    { what: "another session to wait for this transaction", ...options },
  );
}
