import { createTestDatabases, type TestDatabase } from "../databases/test-databases.ts";
import { withDemoData } from "./stand-programs.ts";

const databases = createTestDatabases({
  template: "stand",
  migrate: withDemoData({ proxies: 60, domains: 300 }),
  // Workers run and rescue the reports of all owners.
  otherOwners: false,
});

/** For the stand of one test, with 60 proxies and 300 domains. */
export async function cloneDemoDatabase(): Promise<TestDatabase> {
  return databases.cloneDatabase();
}
