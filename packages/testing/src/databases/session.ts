import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { startPostgres, throwAwayPostgresSettings } from "../postgres/start-postgres.ts";
import { isProcessAlive } from "../process-alive.ts";
import { chooseTemporaryServerRoot, listTemporaryServerRoots } from "../postgres/server-roots.ts";
import { waitFor } from "../wait-for.ts";
import { requireSessionFolderOrThrow, sessionVariable, shareInTestRun } from "./share-in-test-run.ts";

const folderPrefix = "reports-session-";

export interface TestSessionPostgres {
  /** Connection URL of a user that may create databases. */
  readonly url: string;
  /** Process ID of the server; null if it is the server of TEST_DATABASE_URL. */
  readonly pid: number | null;
  readonly dataDir: string | null;
}

export const sharedProgramSuffix = ".program";

export interface SharedProgram {
  readonly pid: number;
  readonly ready: unknown;
}

/** Creates the session folder, and returns the function that ends the session; null if another project of the run has already opened the session. */
export async function openTestSession(): Promise<(() => Promise<void>) | null> {
  if (process.env[sessionVariable]) return null;
  await removeDeadSessions();
  const folder = await mkdtemp(join(await chooseTemporaryServerRoot(), `${folderPrefix}${process.pid}-`));
  // The user of Postgres must reach the folders of servers in it.
  await chmod(folder, 0o711);
  process.env[sessionVariable] = folder;
  return async () => {
    delete process.env[sessionVariable];
    await endSession(folder);
  };
}

export function testDatabaseNamePrefix(folder: string = requireSessionFolderOrThrow()): string {
  return `t${Buffer.from(folder.slice(-6)).toString("hex")}_`;
}

export async function getTestSessionPostgres(): Promise<TestSessionPostgres> {
  return shareInTestRun("server", startServer);
}

async function startServer(folder: string): Promise<TestSessionPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, pid: null, dataDir: null };
  const server = await startPostgres({
    bin: process.env.TEST_POSTGRES_BIN,
    settings: throwAwayPostgresSettings,
    detached: true,
    dataDir: join(folder, "postgres"),
  });
  return { url: server.url, pid: server.pid, dataDir: server.dataDir };
}

async function endSession(folder: string): Promise<void> {
  await endSharedPrograms(folder);
  const file = join(folder, "server.json");
  if (existsSync(file)) {
    const server = JSON.parse(await readFile(file, "utf8")) as TestSessionPostgres;
    if (server.pid === null) await dropDatabases(server.url, testDatabaseNamePrefix(folder));
    else await endProcess(server.pid, "SIGQUIT");
  }
  await rm(folder, { recursive: true, force: true });
}

async function endSharedPrograms(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(`${sharedProgramSuffix}.json`));
  await Promise.all(
    files.map(async (file) => {
      const { pid } = JSON.parse(await readFile(join(folder, file), "utf8")) as SharedProgram;
      await endProcess(pid, "SIGTERM");
    }),
  );
}

async function endProcess(pid: number, signal: NodeJS.Signals): Promise<void> {
  if (!isProcessAlive(pid)) return;
  process.kill(pid, signal);
  await waitFor(() => !isProcessAlive(pid), { what: `the tests' process ${pid} to end` });
}

async function removeDeadSessions(): Promise<void> {
  for (const root of listTemporaryServerRoots()) {
    for (const name of await readdir(root)) {
      const owner = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1];
      if (owner !== undefined && !isProcessAlive(Number(owner)))
        await endSession(join(root, name)).catch(() => undefined);
    }
  }
}

async function dropDatabases(url: string, prefix: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const rows = await sql<
      { datname: string }[]
    >`select datname from pg_database where starts_with(datname, ${prefix})`;
    for (const { datname } of rows) {
      await sql`alter database ${sql(datname)} with is_template false`;
      await sql`drop database ${sql(datname)} with (force)`;
    }
  } finally {
    await sql.end();
  }
}
