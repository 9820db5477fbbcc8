import { defineConfig } from "drizzle-kit";

// Writes a migration: `NODE_OPTIONS=--conditions=@reports/source drizzle-kit generate --name <what-changes>`. Read its SQL before you commit it.
export default defineConfig({ dialect: "postgresql", schema: "./src/schema/!(*.test).ts", out: "./migrations" });
