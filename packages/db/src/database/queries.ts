import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";

/** The query builder, inside or outside a transaction. */
export type Queries = Omit<PostgresJsDatabase, "$client">;
