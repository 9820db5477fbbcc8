import { defineConfig } from "drizzle-kit";

// Run as `NODE_OPTIONS=--conditions=@reports/source drizzle-kit generate --name <what-changes>`; read the SQL before it is committed.
export default defineConfig({ dialect: "postgresql", schema: "./src/schema/!(*.test).ts", out: "./migrations" });
