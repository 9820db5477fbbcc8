import { findAddressProblems, readTransports } from "./database/postgres-address.ts";
import { waitForDatabase } from "./migrations/wait-for-database.ts";

/** Functions about database connections that `@reports/runtime` calls through `checkConnections` and `untilDatabaseIsReady`. */
export const databaseServers = { findAddressProblems, readTransports, waitForDatabase } as const;
