export { CommandFailure, readDatabaseUrl, runCommand, type CommandContext } from "./command-line.ts";
export { describeInventory } from "./inventory/describe-inventory.ts";
export { createProgress } from "./progress.ts";
