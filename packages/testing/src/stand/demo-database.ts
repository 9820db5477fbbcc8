import { createTestDatabases, type TestDatabase } from "../databases/test-databases.ts";
import { createDemoDataLoader } from "./stand-programs.ts";

const databases = createTestDatabases({
  template: "stand",
  migrate: createDemoDataLoader({ proxies: 60, domains: 300 }),
  // Without records of other owners, because the workers of the stand would run their reports.
  otherOwners: false,
});

/** Returns a database with 60 proxies and 300 domains, for a test that calls `startStand`. */
export async function cloneDemoDatabase(): Promise<TestDatabase> {
  return databases.cloneDatabase();
}
