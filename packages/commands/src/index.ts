export { CommandExitError, readDatabaseUrl, runCommand, type CommandContext } from "./command-line.ts";
export { formatInventoryCounts } from "./inventory/format-inventory-counts.ts";
export { createTerminalProgress } from "./terminal-progress.ts";
