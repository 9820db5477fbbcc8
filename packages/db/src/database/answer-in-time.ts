import { StoreUnavailableError, withinTime } from "@reports/core/base";

/**
 * Returns a pg query's result. pg has no deadline for silent connections. Rejects with StoreUnavailableError after `timeoutMs`; the
 * caller then destroys the connection.
 */
export async function answerInTime<T>(query: Promise<T>, timeoutMs: number): Promise<T> {
  const late = () => new StoreUnavailableError(`Postgres did not answer within ${timeoutMs} ms.`);
  return withinTime(async () => query, timeoutMs, late);
}
