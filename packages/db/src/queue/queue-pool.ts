import { Pool, type ClientBase } from "pg";
import { readPostgresAddress } from "../database/postgres-address.ts";
import { sessionStatement } from "../database/session-settings.ts";

/**
 * Looks for jobs are prepared once a connection, often while the queue is empty, and keep their plan when 100,000 jobs wait: one that
 * reads the table and sorts it is ruled out, so that the index which has them in order is all that is left. So are joins that read all of
 * it to find the few jobs that are ended together.
 */
const byTheIndex =
  "set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set enable_hashjoin = off; set enable_mergejoin = off";

/**
 * The job runner's connections. Their errors are listened to from the first to the last moment: a pool that graphile-worker makes for
 * itself is listened to until it is being closed, and a connection that is lost after that ends the process.
 * @param onLost called with the error of a lost connection; the query that was using it fails by itself.
 */
export function createQueuePool(options: {
  readonly url: string;
  readonly max: number;
  readonly onLost: (error: Error) => void;
}): Pool {
  const hooks = {
    // The pool waits for it, which its types do not say.
    onConnect: async (client: ClientBase): Promise<void> => {
      await client.query(sessionStatement());
      await client.query(byTheIndex);
    },
  };
  const { url, ssl } = readPostgresAddress(options.url);
  const pool = new Pool({ connectionString: url, ssl, max: options.max, ...hooks });
  pool.on("connect", (client) => void client.on("error", options.onLost));
  // The same once more for a connection that nobody was using; a pool that nobody listens to throws it.
  pool.on("error", () => undefined);
  return pool;
}
