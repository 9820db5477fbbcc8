/** What commands have in common: failures, exit codes, interruption, the database's address, progress on a terminal, counts in words. */
export { CommandFailure, readDatabaseUrl, runCommand, type CommandContext } from "./command-line.ts";
export { describeInventory } from "./inventory/describe-inventory.ts";
export { createProgress } from "./progress.ts";
