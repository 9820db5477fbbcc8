import { StoreUnavailableError, runWithTimeLimit } from "@reports/core/base";

/** Rejects with StoreUnavailableError after `timeoutMs`, because pg waits forever on a connection that has become silent. */
export async function withQueryTimeout<T>(query: Promise<T>, timeoutMs: number): Promise<T> {
  const late = () => new StoreUnavailableError(`Postgres did not answer within ${timeoutMs} ms.`);
  return runWithTimeLimit(async () => query, timeoutMs, late);
}
