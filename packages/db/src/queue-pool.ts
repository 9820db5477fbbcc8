import { Pool } from "pg";
import { sessionStatement } from "./session-settings.ts";

/**
 * The job runner's connections. Their errors are listened to from the first to the last moment: a pool that graphile-worker makes for
 * itself is listened to until it is being closed, and a connection that is lost after that ends the process.
 * @param onLost called with what befell a connection; whoever was using it is told by his own query.
 */
export function createQueuePool(options: {
  readonly url: string;
  readonly max: number;
  readonly onLost: (error: Error) => void;
}): Pool {
  const pool = new Pool({ connectionString: options.url, max: options.max });
  pool.on("connect", (client) => {
    client.on("error", options.onLost);
    // Ahead of everything that the pool's user sends over it.
    client.query(sessionStatement()).catch(options.onLost);
  });
  // The same once more for a connection that nobody was using; a pool that nobody listens to throws it.
  pool.on("error", () => undefined);
  return pool;
}
