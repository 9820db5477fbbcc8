import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isInTestRun, shareInTestRun } from "../databases/share-in-test-run.ts";
import type { PostgresBinaries } from "./binaries.ts";
import { isReachableByEveryUser, toSpawnOptions, type PostgresOsUser } from "./postgres-os-user.ts";
import { listTemporaryServerRoots } from "./server-roots.ts";

export interface DataFolderOptions {
  readonly binaries: PostgresBinaries;
  readonly dataDir: string;
  readonly user: PostgresOsUser | null;
  /** The superuser's password, which an existing cluster needs. Default: random. */
  readonly password?: string | undefined;
  /** Whether the server runs without fsync, as throw-away servers do. */
  readonly isThrowAway: boolean;
}

/** Creates the folder and its database cluster, unless it already has one, and returns the superuser's password. */
export async function prepareDataFolder(options: DataFolderOptions): Promise<string> {
  const { dataDir, user, password } = options;
  await createFolder(dataDir, user);
  if (existsSync(join(dataDir, "PG_VERSION"))) {
    if (password === undefined) throw new Error(`${dataDir} has a database cluster, whose password must be given.`);
    return password;
  }
  if (password !== undefined) return createCluster(options, password);
  const shared = options.isThrowAway && isInTestRun() ? await findSharedCluster(options) : null;
  if (shared === null) return createCluster(options, createPassword());
  await runProgram("cp", ["-R", "-p", `${shared.dataDir}/.`, dataDir], user);
  return shared.password;
}

/**
 * Returns a stopped cluster that the test run creates once. A copy takes a tenth of the processor time of initdb, and has the same password. Returns
 * null if this cluster could not be created, so that one failure does not prevent the start of other servers.
 */
async function findSharedCluster(
  options: DataFolderOptions,
): Promise<{ readonly dataDir: string; readonly password: string } | null> {
  const { binaries, user } = options;
  const hash = createHash("sha256").update(binaries.initdb).digest("hex").slice(0, 12);
  const name = `cluster-${binaries.major}-${hash}`;
  return shareInTestRun(name, async (folder) => {
    const dataDir = join(folder, name);
    await createFolder(dataDir, user);
    return { dataDir, password: await createCluster({ ...options, dataDir }, createPassword()) };
  }).catch(() => null);
}

function createPassword(): string {
  return randomBytes(18).toString("base64url");
}

async function createFolder(dataDir: string, user: PostgresOsUser | null): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (user === null) return;
  const parent = join(dataDir, "..");
  if (listTemporaryServerRoots().some((root) => dataDir.startsWith(join(root, "reports-"))))
    await chown(parent, user.uid, user.gid);
  else if (!isReachableByEveryUser(dataDir)) {
    throw new Error(
      `As root, Postgres runs as the user ${user.name}, who cannot reach ${dataDir}. Choose a data folder whose parents all users may pass (chmod o+x), or start as another user.`,
    );
  }
  await chown(dataDir, user.uid, user.gid);
}

async function createCluster(options: DataFolderOptions, password: string): Promise<string> {
  const { binaries, dataDir, user } = options;
  const passwordFolder = await mkdtemp(join(tmpdir(), "reports-password-"));
  const passwordFile = join(passwordFolder, "password");
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user !== null) for (const path of [passwordFolder, passwordFile]) await chown(path, user.uid, user.gid);
  // Without LANG, initdb would choose SQL_ASCII, in which lower('Ü') is wrong.
  const locale = binaries.major >= 17 ? ["--locale-provider=builtin", "--locale=C.UTF-8"] : ["--locale=C.UTF-8"];
  const flags = [
    "--encoding=UTF8",
    ...locale,
    "--username=postgres",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--no-sync",
    // Client and server would compute 4,096 iterations for each connection. Only passwords of lasting servers need that protection.
    ...(options.isThrowAway && binaries.major >= 16 ? ["--set=scram_iterations=1"] : []),
  ];
  try {
    await runProgram(binaries.initdb, [`--pgdata=${dataDir}`, ...flags], user);
  } finally {
    await rm(passwordFolder, { recursive: true, force: true });
  }
  return password;
}

function runProgram(command: string, parameters: readonly string[], user: PostgresOsUser | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, {
      ...toSpawnOptions(user),
      cwd: "/",
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} failed with code ${code}:\n${errors.trim()}`)),
    );
  });
}
