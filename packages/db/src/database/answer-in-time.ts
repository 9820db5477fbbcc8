import { StoreUnavailableError, withinTime } from "@reports/core/base";

/**
 * The answer of a query of pg's, which has no deadline of its own for a connection that went silent. Rejects with StoreUnavailableError
 * after `timeoutMs`; whoever asked then destroys the connection.
 */
export async function answerInTime<T>(query: Promise<T>, timeoutMs: number): Promise<T> {
  const late = () => new StoreUnavailableError(`Postgres did not answer within ${timeoutMs} ms.`);
  return withinTime(async () => query, timeoutMs, late);
}
