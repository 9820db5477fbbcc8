import { findAddressProblems, readTransports } from "./database/postgres-address.ts";
import { waitForDatabase } from "./migrations/wait-for-database.ts";

/** For `checkConnections` and `untilDatabaseIsReady` of `@reports/runtime`. */
export const databaseServers = { findAddressProblems, readTransports, waitForDatabase } as const;
