import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createTestDatabases } from "@reports/testing";
import { expect, test } from "vitest";
import { migrateDatabase } from "./migrate-database.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });

const [seed, rounds] = [1, 150];

test("connections that are lost at any moment fail their calls at once, and end no process", async () => {
  await using clone = await cloneDatabase();
  const fixture = fileURLToPath(new URL("connection-resets.fixture.ts", import.meta.url));
  // A process of its own, because what nobody catches is to end it: then this rejects with what it wrote.
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--conditions=@reports/source",
    fixture,
    clone.url,
    String(seed),
    String(rounds),
  ]);
  const outcomes: unknown = JSON.parse(stdout.trim().split("\n").at(-1)!);
  expect(outcomes).toMatchObject({ late: 0, other: [] });
  // Resets have met calls, and calls have come through.
  expect(outcomes).not.toMatchObject({ unavailable: 0 });
  expect(outcomes).not.toMatchObject({ done: 0 });
}, 120_000);
