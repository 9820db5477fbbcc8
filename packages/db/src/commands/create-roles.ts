import { createDatabaseRoles, databaseRoles } from "../migrations/roles.ts";
import { printErrorForExit, exitCodeOf, describeErrorChain, runDatabaseCommand } from "./command-line.ts";

const help = `Usage: database-roles

Creates the roles ${databaseRoles.api} and ${databaseRoles.worker} and grants them their privileges in the database that DATABASE_URL (or the
file in DATABASE_URL_FILE) names, as the owner of its tables. Run it after every migration. Safe to run again.

If QUEUE_SCHEMA is set, it has to be the schema of the database's queue.

Exit codes: 0 done, 1 failed, 2 wrong usage or QUEUE_SCHEMA, 3 the database is newer than this program and was not changed.
`;

const databaseText = "the migrated database, with the user that owns its tables";

process.exitCode = await runDatabaseCommand({ help, databaseText }, async (databaseUrl) => {
  try {
    const left = await createDatabaseRoles({
      databaseUrl,
      queueSchema: process.env["QUEUE_SCHEMA"] || undefined,
      onWait: (message) => process.stderr.write(`${message}\n`),
    });
    for (const statement of left)
      process.stderr.write(
        `This user may not revoke all public privileges. As the database's owner and as a superuser run:\n${statement};\n`,
      );
    process.stderr.write(
      `The rights of ${databaseRoles.api} and ${databaseRoles.worker} are in place. The database user of each process must be a member of its role (docs/reference/database-roles.md).\n`,
    );
    return 0;
  } catch (error) {
    return printErrorForExit(
      `The roles were not created and nothing was changed: ${describeErrorChain(error)}`,
      exitCodeOf(error),
    );
  }
});
