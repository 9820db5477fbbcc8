import { createTestDatabases, waitFor } from "@reports/testing";
import { expect, test, vi } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createDatabase } from "./database.ts";
import { createDatabaseClock } from "./database-clock.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

test("the database clock returns Postgres's time even if the wall clock is a year off", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url, max: 1 });
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2001-01-01T00:00:00Z") });
  try {
    const failures: unknown[] = [];
    const clock = createDatabaseClock(database, { onFailure: (error) => failures.push(error), everyMs: 20 });
    expect(clock.now().getUTCFullYear()).toBe(2001);
    await clock.start();
    expect(clock.now().getUTCFullYear()).toBeGreaterThan(2025);
    await database.close();
    await waitFor(() => failures.length > 0, { what: "a reading to fail" });
    const before = clock.now();
    expect(before.getUTCFullYear()).toBeGreaterThan(2025);
    await waitFor(() => clock.now() > before, { what: "the clock to continue" });
    clock.stop();
  } finally {
    vi.useRealTimers();
  }
});
