import { enablePasswordReload } from "./database/current-password.ts";
import { findPostgresUrlProblems, listPostgresDestinations } from "./database/url-and-tls-options.ts";
import { waitForDatabase } from "./migrations/wait-for-database.ts";

/** The Postgres functions that `prepareDatabaseConnections` and `waitUntilDatabaseIsReady` of `@reports/runtime` need. That package does not depend on this one. */
export const databaseConnectionFunctions = {
  findAddressProblems: findPostgresUrlProblems,
  followPassword: enablePasswordReload,
  readTransports: listPostgresDestinations,
  waitForDatabase,
} as const;
