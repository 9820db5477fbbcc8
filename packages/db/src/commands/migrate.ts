import { QueueSchemaMismatchError } from "../migrations/database-version.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { defaultQueueSchema } from "../queue/queue-schema.ts";
import { printErrorForExit, exitCodeOf, describeErrorChain, runDatabaseCommand } from "./command-line.ts";

const help = `Usage: migrate [--move-queue]

Brings the database that DATABASE_URL (or the file in DATABASE_URL_FILE) names to the version of this program.
The queue is created in the schema QUEUE_SCHEMA (${defaultQueueSchema} unless set), which has to be the same for the API and the worker.
Safe to run again, and from several machines at the same time.

  --move-queue  puts the queue into QUEUE_SCHEMA although the database has it in another schema. Stop the API and the workers first, and
                start them with the new QUEUE_SCHEMA. Waiting reports follow within a minute.

Exit codes: 0 done, 1 failed, 2 wrong usage or QUEUE_SCHEMA, 3 the database is newer than this program and was not changed, 130 interrupted.
`;

const databaseText = "the database to migrate, such as postgres://user:password@host:5432/reports";

process.exitCode = await runDatabaseCommand(
  { help, flags: ["move-queue"], databaseText },
  async (databaseUrl, isSet) => {
    const interrupt = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
    try {
      await migrateDatabase({
        databaseUrl,
        queueSchema: process.env["QUEUE_SCHEMA"] || defaultQueueSchema,
        moveQueue: isSet("move-queue"),
        signal: interrupt.signal,
        onProgress: (message) => process.stderr.write(`${message}\n`),
      });
      process.stderr.write("The database is at the version of this program.\n");
      return 0;
    } catch (error) {
      if (interrupt.signal.aborted)
        return printErrorForExit("Interrupted. Unfinished changes were rolled back. Run it again.", 130);
      const advice =
        error instanceof QueueSchemaMismatchError ? ` To move the queue, run \`migrate --move-queue\`.` : "";
      return printErrorForExit(
        `The database was not migrated: ${describeErrorChain(error)}${advice}`,
        exitCodeOf(error),
      );
    }
  },
);
