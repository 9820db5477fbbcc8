import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";

export type Queries = Omit<PostgresJsDatabase, "$client">;
