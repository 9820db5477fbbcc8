import { Client, Pool, type ClientBase, type ClientConfig } from "pg";
import { withCurrentPassword } from "../database/current-password.ts";
import { readPostgresAddress } from "../database/postgres-address.ts";
import { sessionStatement } from "../database/session-settings.ts";

/**
 * graphile-worker's queries are prepared once per connection, often on an empty queue, and keep their plan when there are 100,000 jobs.
 * Sequential scans and sorts are ruled out, so that the plan uses the ordered index. Joins that read all jobs to find a few are ruled out
 * as well.
 */
const indexPlanSettings =
  "set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set enable_hashjoin = off; set enable_mergejoin = off";

/**
 * Commits do not wait for the disk. A crash of Postgres may undo the lock or the end of a job, which is delivered again. The claim of its
 * report waits, and makes the lock durable too.
 */
const asynchronousCommit = "set synchronous_commit = off";

/**
 * Opens the connections of the job runner. Each has an error listener until its end. graphile-worker's own pool removes its listener while
 * closing, so that a connection lost at that moment would end the process. `onLost` gets the error of a lost connection; the running query
 * rejects by itself.
 */
export function createQueuePool(options: {
  readonly url: string;
  readonly max: number;
  readonly onLost: (error: Error) => void;
}): Pool {
  const hooks = {
    // The pool awaits this hook, although its types don't say so.
    onConnect: async (client: ClientBase): Promise<void> => {
      await client.query(sessionStatement());
      await client.query(indexPlanSettings);
      await client.query(asynchronousCommit);
    },
  };
  const { url, ssl } = readPostgresAddress(options.url);
  const pool = new Pool({ connectionString: url, ssl, max: options.max, ...hooks, Client: CurrentClient });
  pool.on("connect", (client) => void client.on("error", options.onLost));
  // Gets errors of idle connections, which the pool would throw without a listener.
  pool.on("error", () => undefined);
  return pool;
}

/** The pool creates one for each connection, with the configuration that the pool got at its start. */
class CurrentClient extends Client {
  constructor(config: ClientConfig = {}) {
    super({ ...config, connectionString: withCurrentPassword(config.connectionString ?? "") });
  }
}
