import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDatabase, createStoreIdRepository, migrateDatabase } from "@reports/db";
import { newId } from "@reports/runtime";
import { adoptEmptyStore, createFileSystemStore } from "@reports/storage";
import {
  createTestDatabases,
  readSourceStartVariables,
  startProcess,
  waitFor,
  type StandProcessOptions,
  type StandProcess,
} from "@reports/testing";
import type { ApiTimings } from "../clocks.ts";
import { testJwtSecret } from "./config-under-test.ts";

const mainModule = fileURLToPath(new URL("../main.ts", import.meta.url));
const mainModuleWithClocks = fileURLToPath(new URL("api-main.fixture.ts", import.meta.url));
// The database has no records of other owners (`otherOwners: false`). They name files, and the store ID is written to an empty store only if no
// record names a file.
const databases = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});

interface ApiProcessOptions extends Pick<StandProcessOptions, "origin" | "supervised"> {
  readonly clocks?: Partial<ApiTimings>;
  readonly nodeOptions?: readonly string[];
}

export function startApiProcess(
  environment: Readonly<Record<string, string>>,
  { clocks = {}, nodeOptions = [], ...options }: ApiProcessOptions = {},
): StandProcess {
  return startProcess({
    ...options,
    name: "API",
    args: [
      ...nodeOptions,
      "--conditions=@reports/source",
      ...(Object.keys(clocks).length === 0 ? [mainModule] : [mainModuleWithClocks, JSON.stringify(clocks)]),
    ],
    environment: { ...readSourceStartVariables(), ...environment },
  });
}

export async function waitForApiOrigin({ waitForLog, log }: Pick<StandProcess, "waitForLog" | "log">): Promise<string> {
  await waitForLog("api is ready", 60_000);
  return `http://127.0.0.1:${/"port":(\d+)/.exec(log())![1]}`;
}

/** Returns the status of /health/ready and the messages of its errors, such as `503 database: failing`. */
export async function readReadiness(origin: string): Promise<string> {
  const response = await fetch(`${origin}/health/ready`, { signal: AbortSignal.timeout(30_000) });
  const { errors = [] } = (await response.json()) as { errors?: { message: string }[] };
  return [response.status, errors.map(({ message }) => message).join(", ")].filter(Boolean).join(" ");
}

/** One request does not suffice, because the API reports a check as failed that takes longer than two seconds. */
export async function waitForReadiness(origin: string, expected: string): Promise<void> {
  const isAsExpected = async () => (await readReadiness(origin)) === expected;
  await waitFor(isAsExpected, { what: `readiness to be ${expected}`, timeoutMs: 60_000 });
}

export async function setUpApiProcesses() {
  const database = await databases.cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), "api-process-"));
  const storageDir = join(folder, "files");
  await mkdir(storageDir);
  const started: StandProcess[] = [];
  return {
    databaseUrl: database.url,
    databaseName: database.name,
    folder,
    storageDir,
    start(environment: Readonly<Record<string, string>> = {}, options: ApiProcessOptions = {}): StandProcess {
      const one = startApiProcess(
        {
          DATABASE_URL: database.url,
          STORAGE_DIR: storageDir,
          AUTH_JWT_SECRET: testJwtSecret,
          HOST: "127.0.0.1",
          PORT: "0",
          ...environment,
        },
        options,
      );
      started.push(one);
      return one;
    },
    async adopt(): Promise<void> {
      const own = createDatabase({ url: database.url });
      const record = createStoreIdRepository(own);
      await adoptEmptyStore({ store: createFileSystemStore({ directory: storageDir }), record, newId });
      await own.close();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map(async (one) => one.kill()));
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
