import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDatabase, createStoreIdRepository, migrateDatabase } from "@reports/db";
import { createTestDatabases, isFullTestRun, readSourceStartVariables } from "@reports/testing";
import { afterAll, expect, test } from "vitest";

// The database has no reports, because a store can be adopted automatically only while no record names a file.
const databases = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const folder = await mkdtemp(join(tmpdir(), "store-marker-"));
afterAll(async () => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly stderr: string;
}

async function storeMarker(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const path = fileURLToPath(new URL("store-marker.ts", import.meta.url));
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--conditions=@reports/source", path, ...args],
      { env: { PATH: process.env["PATH"], ...readSourceStartVariables(), ...environment } },
      (_, out, stderr) => resolve({ code: child.exitCode, out, stderr }),
    );
  });
}

async function openTwo(name: string) {
  const parts = new AsyncDisposableStack();
  const [clone, other] = [parts.use(await databases.cloneDatabase()), parts.use(await databases.cloneDatabase())];
  const here = { DATABASE_URL: clone.url, STORAGE_DIR: join(folder, name), STORAGE_PREFIX: "production" };
  return { here, elsewhere: { ...here, DATABASE_URL: other.url }, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

test("store-marker connects a store with a database; adopt refuses a foreign store", async () => {
  await using opened = await openTwo("files");
  const { here, elsewhere } = opened;
  expect(await storeMarker(["adopt"], here)).toMatchObject({ code: 0, stderr: "" });
  expect(await readdir(join(folder, "files"))).toEqual(["production"]);
  const database = createDatabase({ url: here.DATABASE_URL });
  const { id } = (await createStoreIdRepository(database).read())!;
  await database.close();
  expect(await storeMarker(["adopt"], elsewhere)).toMatchObject({ code: 1, stderr: expect.stringMatching(/--force/) });
  expect(await storeMarker(["show"], here)).toMatchObject({
    code: 0,
    out: `database: ${id}\nstore:    ${id}\nNo record names a file.\nThey belong together.\n`,
  });
}, 180_000);

// In every run, store-identity.test.ts adopts stores with and without force.
test.runIf(isFullTestRun)(
  "store-marker show changes nothing; adopt --force takes a foreign store",
  async () => {
    await using opened = await openTwo("shown");
    const { here, elsewhere } = opened;
    expect(await storeMarker(["show"], here)).toMatchObject({ code: 1, out: expect.stringMatching(/no marker/) });
    expect(await readdir(folder)).not.toContain("shown");
    expect(await storeMarker(["adopt"], here)).toMatchObject({ code: 0 });
    expect(await storeMarker(["adopt"], here)).toMatchObject({ code: 0, out: expect.stringMatching(/already/) });
    expect(await storeMarker(["adopt", "--force"], elsewhere)).toMatchObject({ code: 0 });
    expect(await storeMarker(["show"], here)).toMatchObject({ code: 1 });
  },
  180_000,
);

test("errors of the command store-marker contain no secrets", async () => {
  const usages = [
    ["remove", 2, "stderr"],
    ["--help", 0, "out"],
  ] as const;
  for (const [argument, code, stream] of isFullTestRun ? usages : usages.slice(0, 1)) {
    expect(await storeMarker([argument])).toMatchObject({ code, [stream]: expect.stringMatching(/Usage/) });
  }
  expect(await storeMarker(["show"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/DATABASE_URL[^]*STORAGE_DIR/),
  });
  const nowhere = { DATABASE_URL: "postgres://reports:hunter2@127.0.0.1:1/reports", STORAGE_DIR: join(folder, "none") };
  const failed = await storeMarker(["adopt"], nowhere);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/Postgres cannot be used now/) });
  expect(failed.stderr).not.toContain("hunter2");
}, 120_000);
