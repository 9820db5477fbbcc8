import { Client, Pool, type ClientBase, type ClientConfig } from "pg";
import { withCurrentPassword } from "../database/current-password.ts";
import { separateTlsOptions } from "../database/url-and-tls-options.ts";
import { buildSessionSetupSql } from "../database/session-settings.ts";

/**
 * graphile-worker's queries are prepared once per connection, often while the queue is empty, and keep that plan when 100,000 jobs wait. These
 * settings leave Postgres only plans that read jobs in the order of the index and stop after a few.
 */
const indexPlanSettings =
  "set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set enable_hashjoin = off; set enable_mergejoin = off";

/**
 * Commits of this pool do not wait for the disk. After a crash of Postgres, a job may be locked or run again. The claim of a report does wait, which
 * makes the job's lock durable too.
 */
const asynchronousCommit = "set synchronous_commit = off";

/**
 * Opens the connections of graphile-worker. Each of them keeps an error listener until it is closed. The pool that graphile-worker creates removes
 * its listener while closing. A connection lost at that moment would then end the process. `onLost` gets the error of a lost connection. The running
 * query also rejects.
 */
export function createQueuePool(options: {
  readonly url: string;
  readonly max: number;
  readonly onLost: (error: Error) => void;
}): Pool {
  const hooks = {
    onConnect: async (client: ClientBase): Promise<void> => {
      await client.query(buildSessionSetupSql());
      await client.query(indexPlanSettings);
      await client.query(asynchronousCommit);
    },
  };
  const { url, ssl } = separateTlsOptions(options.url);
  const pool = new Pool({ connectionString: url, ssl, max: options.max, ...hooks, Client: CurrentClient });
  pool.on("connect", (client) => void client.on("error", options.onLost));
  // Without a listener, the pool would throw errors of idle connections and end the process.
  pool.on("error", () => undefined);
  return pool;
}

/** Reads the current password for each new connection. The pool itself keeps the configuration of its start. */
class CurrentClient extends Client {
  constructor(config: ClientConfig = {}) {
    super({ ...config, connectionString: withCurrentPassword(config.connectionString ?? "") });
  }
}
