import { Pool, type ClientBase } from "pg";
import { readPostgresAddress } from "../database/postgres-address.ts";
import { sessionStatement } from "../database/session-settings.ts";

/**
 * Queries for jobs are prepared per connection, often on an empty queue, and keep their plan at 100,000 jobs. Sequential scans with sorts
 * are ruled out, so that the ordered index remains, and so are joins that read everything to find a few jobs.
 */
const byTheIndex =
  "set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set enable_hashjoin = off; set enable_mergejoin = off";

/**
 * Opens the job runner's connections. Their errors have a listener until the end: graphile-worker's own pool drops its listener while
 * closing, and a connection lost then would end the process. `onLost` gets the error of a lost connection; its query fails by itself.
 */
export function createQueuePool(options: {
  readonly url: string;
  readonly max: number;
  readonly onLost: (error: Error) => void;
}): Pool {
  const hooks = {
    // The pool awaits it, which its types do not say.
    onConnect: async (client: ClientBase): Promise<void> => {
      await client.query(sessionStatement());
      await client.query(byTheIndex);
    },
  };
  const { url, ssl } = readPostgresAddress(options.url);
  const pool = new Pool({ connectionString: url, ssl, max: options.max, ...hooks });
  pool.on("connect", (client) => void client.on("error", options.onLost));
  // Errors of idle connections; without a listener the pool throws them.
  pool.on("error", () => undefined);
  return pool;
}
