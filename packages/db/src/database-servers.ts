import { findAddressProblems, readTransports } from "./database/postgres-address.ts";
import { waitForDatabase } from "./migrations/wait-for-database.ts";

/** What a process asks about its databases before it works with them: `checkConnections` and `untilDatabaseIsReady` of `@reports/runtime` take it. */
export const databaseServers = { findAddressProblems, readTransports, waitForDatabase } as const;
