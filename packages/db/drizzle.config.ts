import { defineConfig } from "drizzle-kit";

// To write a migration, run `NODE_OPTIONS=--conditions=@reports/source drizzle-kit generate --name <what-changes>`. Read its SQL before you
// commit it.
export default defineConfig({ dialect: "postgresql", schema: "./src/schema/!(*.test).ts", out: "./migrations" });
