import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core";

/**
 * The answer of a query of pg's, which has no deadline of its own for a connection that went silent. Rejects with StoreUnavailableError
 * after `timeoutMs`; whoever asked then destroys the connection.
 */
export async function answerInTime<T>(query: Promise<T>, timeoutMs: number): Promise<T> {
  const over = new AbortController();
  query.catch(() => undefined);
  try {
    const late = delay(timeoutMs, undefined, { signal: over.signal, ref: false }).then((): never => {
      throw new StoreUnavailableError(`Postgres did not answer within ${timeoutMs} ms.`);
    });
    late.catch(() => undefined);
    return await Promise.race([query, late]);
  } finally {
    over.abort();
  }
}
