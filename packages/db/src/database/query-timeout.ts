import { StoreUnavailableError, runWithTimeLimit } from "@reports/core/base";

export async function withQueryTimeout<T>(query: Promise<T>, timeoutMs: number): Promise<T> {
  const late = () => new StoreUnavailableError(`Postgres did not answer within ${timeoutMs} ms.`);
  return runWithTimeLimit(async () => query, timeoutMs, late);
}
