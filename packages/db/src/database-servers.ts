import { followPassword } from "./database/current-password.ts";
import { findAddressProblems, readTransports } from "./database/postgres-address.ts";
import { waitForDatabase } from "./migrations/wait-for-database.ts";

/** Functions that `checkConnections` and `untilDatabaseIsReady` of `@reports/runtime` call. */
export const databaseServers = { findAddressProblems, followPassword, readTransports, waitForDatabase } as const;
