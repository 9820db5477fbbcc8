import { enablePasswordReload } from "./database/current-password.ts";
import { findAddressProblems, listPostgresDestinations } from "./database/postgres-address.ts";
import { waitForDatabase } from "./migrations/wait-for-database.ts";

/** The Postgres functions that `applyConnectionSettings` and `waitUntilDatabaseIsReady` of `@reports/runtime` need. That package does not depend on this one. */
export const databaseFunctions = {
  findAddressProblems,
  followPassword: enablePasswordReload,
  readTransports: listPostgresDestinations,
  waitForDatabase,
} as const;
