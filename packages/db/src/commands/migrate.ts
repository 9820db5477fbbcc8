import { parseArgs } from "node:util";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { defaultQueueSchema } from "../queue/queue-schema.ts";
import { complain, messageOf, readDatabaseUrl } from "./command-line.ts";

const help = `Usage: migrate

Brings the database that DATABASE_URL (or the file in DATABASE_URL_FILE) names to the version of this program.
The queue is created in the schema QUEUE_SCHEMA (${defaultQueueSchema} unless set), which has to be the same for the API and the worker.
Safe to run again and from several machines at once.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
`;

async function main(): Promise<number> {
  try {
    const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
    if (values.help) {
      process.stdout.write(help);
      return 0;
    }
  } catch (error) {
    return complain(`${messageOf(error)}\n\n${help}`, 2);
  }
  const databaseUrl = await readDatabaseUrl();
  if (databaseUrl === undefined)
    return complain(
      "DATABASE_URL is not set. Set it to the database to migrate, such as postgres://user:password@host:5432/reports.",
      2,
    );
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
  try {
    await migrateDatabase({
      databaseUrl,
      queueSchema: process.env["QUEUE_SCHEMA"] || defaultQueueSchema,
      signal: interrupt.signal,
      onProgress: (message) => process.stderr.write(`${message}\n`),
    });
    process.stderr.write("The database is at the version of this program.\n");
    return 0;
  } catch (error) {
    if (interrupt.signal.aborted)
      return complain("Interrupted; what was not finished was rolled back. Run it again.", 130);
    return complain(`The database was not migrated: ${messageOf(error)}`, 1);
  }
}

process.exitCode = await main();
