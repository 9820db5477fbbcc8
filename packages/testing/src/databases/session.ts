import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { startPostgres, throwAwaySettings } from "../postgres/start-postgres.ts";
import { isProcessAlive } from "../process-alive.ts";
import { roomForServers, serverRoots } from "../postgres/server-roots.ts";
import { waitFor } from "../wait-for.ts";

/**
 * One run of the test runner. Its processes share one Postgres server, which the first that needs it starts,
 * and which the run's end stops. They find each other by a folder that this variable names.
 */
const sessionVariable = "REPORTS_TEST_SESSION";
const folderPrefix = "reports-session-";

/** The server that the session's databases live on. */
export interface SessionServer {
  /** Of a user who may create databases, to a database that always exists. */
  readonly url: string;
  /** Null for a server that was given by TEST_DATABASE_URL. */
  readonly pid: number | null;
  readonly dataDir: string | null;
}

/** Opens the session; null when one is open already (another project of the same run opened it, and will end it). */
export async function openSession(): Promise<(() => Promise<void>) | null> {
  if (process.env[sessionVariable]) return null;
  await sweepDeadSessions();
  const folder = await mkdtemp(join(await roomForServers(), `${folderPrefix}${process.pid}-`));
  process.env[sessionVariable] = folder;
  return async () => {
    delete process.env[sessionVariable];
    await endSession(folder);
  };
}

/** Names of this session's databases begin with this. */
export function sessionPrefix(folder: string = sessionFolder()): string {
  return `t${Buffer.from(folder.slice(-6)).toString("hex")}_`;
}

/** The session's server, started by whoever asks first. */
export async function sessionServer(): Promise<SessionServer> {
  const folder = sessionFolder();
  const file = join(folder, "server.json");
  const failure = join(folder, "failure");
  if (await isFirst(join(folder, "starting"))) {
    try {
      const server = await startServer(folder);
      await writeFile(`${file}.new`, JSON.stringify(server), { mode: 0o600 });
      await rename(`${file}.new`, file);
    } catch (error) {
      await writeFile(failure, String(error));
      throw error;
    }
  }
  await waitFor(
    () => {
      if (existsSync(failure)) throw new Error(`The tests' Postgres did not start. ${readFileSync(failure, "utf8")}`);
      return existsSync(file);
    },
    { what: "another test process to start Postgres", timeoutMs: 90_000 },
  );
  return JSON.parse(await readFile(file, "utf8")) as SessionServer;
}

async function startServer(folder: string): Promise<SessionServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, pid: null, dataDir: null };
  const server = await startPostgres({
    bin: process.env.TEST_POSTGRES_BIN,
    // A gigabyte of log, Postgres's own choice, would be one of memory.
    settings: { ...throwAwaySettings, max_wal_size: "256MB" },
    detached: true,
    dataDir: join(folder, "postgres"),
  });
  return { url: server.url, pid: server.pid, dataDir: server.dataDir };
}

async function endSession(folder: string): Promise<void> {
  const file = join(folder, "server.json");
  if (existsSync(file)) {
    const server = JSON.parse(await readFile(file, "utf8")) as SessionServer;
    if (server.pid === null) await dropDatabases(server.url, sessionPrefix(folder));
    else await kill(server.pid);
  }
  await rm(folder, { recursive: true, force: true });
}

/** What a killed run left behind. */
async function sweepDeadSessions(): Promise<void> {
  for (const root of serverRoots()) {
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

async function kill(pid: number): Promise<void> {
  if (!isProcessAlive(pid)) return;
  process.kill(pid, "SIGQUIT");
  await waitFor(() => !isProcessAlive(pid), { what: `the tests' Postgres (process ${pid}) to end` });
}

async function isFirst(lock: string): Promise<boolean> {
  return await mkdir(lock).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );
}

function sessionFolder(): string {
  const folder = process.env[sessionVariable];
  if (folder) return folder;
  throw new Error(
    "Test databases exist in a run of vitest only, which begins with packages/testing/src/databases/global-setup.ts. Elsewhere, use startPostgres.",
  );
}
