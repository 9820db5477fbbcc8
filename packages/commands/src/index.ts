/** What commands have in common: failures, exit codes, interruption, the database's address, progress on a terminal. */
export { CommandFailure, readDatabaseUrl, runCommand, type CommandContext } from "./command-line.ts";
export { createProgress } from "./progress.ts";
