import { followPassword } from "./database/current-password.ts";
import { findAddressProblems, readTransports } from "./database/postgres-address.ts";
import { waitForDatabase } from "./migrations/wait-for-database.ts";

/** The Postgres functions that `checkConnectionSettings` and `waitUntilDatabaseIsReady` of `@reports/runtime` need. That package does not depend on this one. */
export const databaseServers = { findAddressProblems, followPassword, readTransports, waitForDatabase } as const;
