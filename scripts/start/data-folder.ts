import { randomBytes } from "node:crypto";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProcessAlive, waitFor } from "@reports/testing";
import { NpmStartError } from "./npm-start-error.ts";

export interface DevelopmentSecrets {
  readonly databasePassword: string;
  readonly jwtSecret: string;
  readonly webhookKey: string;
  readonly passwords: Readonly<Record<string, string>>;
}

/**
 * Locks the data folder for this process, and ends the processes of an earlier start that was killed. Throws a NpmStartError if another running start
 * uses the folder.
 */
export async function lockDataFolder(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const owner = readProcesses(folder);
  const [first, ...children] = owner;
  if (first !== undefined && first !== process.pid && isStartScript(first)) {
    throw new NpmStartError(
      `Another start (process ${first}) is using ${folder}. Stop it first, or use another folder: npm start -- --data DIR`,
    );
  }
  for (const pid of children)
    await endLeftoverProcess(pid, (command) => /apps\/(api|worker)\/src\/main\.ts/.test(command), "SIGKILL");
  writeProcessIds(folder, []);
}

/** Writes the process IDs of this start to the data folder. If this start is killed, the next start ends these processes. */
export function writeProcessIds(folder: string, children: readonly number[]): void {
  writeFileSync(join(folder, "processes"), [process.pid, ...children].join("\n"));
}

export function unlockDataFolder(folder: string): void {
  rmSync(join(folder, "processes"), { force: true });
}

export function readOrCreateSecrets(folder: string, userNames: readonly string[]): DevelopmentSecrets {
  const file = join(folder, "credentials.json");
  const known = readKnownCredentials(file);
  const secret = (bytes: number) => randomBytes(bytes).toString("base64url");
  const passwords = Object.fromEntries(userNames.map((name) => [name, known.passwords?.[name] ?? secret(9)]));
  const credentials = {
    databasePassword: known.databasePassword ?? secret(18),
    jwtSecret: known.jwtSecret ?? secret(48),
    webhookKey: known.webhookKey ?? randomBytes(32).toString("base64"),
    passwords,
  };
  writeFileSync(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  return credentials;
}

function readKnownCredentials(file: string): Partial<DevelopmentSecrets> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Partial<DevelopmentSecrets>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new NpmStartError(
      `${file} cannot be read (${(error as Error).message}). Repair it, or remove its whole folder to start again.`,
    );
  }
}

function readProcesses(folder: string): readonly number[] {
  try {
    return readFileSync(join(folder, "processes"), "utf8")
      .split("\n")
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** Ends a process of a killed start. Does nothing if another command now has its process ID. */
export async function endLeftoverProcess(
  pid: number,
  isOurs: (command: string) => boolean,
  signal: NodeJS.Signals,
): Promise<void> {
  if (!isProcessAlive(pid) || !isOurs(commandOf(pid))) return;
  process.kill(pid, signal);
  await waitFor(() => !isProcessAlive(pid), { what: `the leftover process ${pid} to end`, timeoutMs: 60_000 });
}

function isStartScript(pid: number): boolean {
  return commandOf(pid).includes("scripts/start.ts");
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return existsSync("/proc/self/cmdline") ? "" : commandByPs(pid);
  }
}

function commandByPs(pid: number): string {
  try {
    return execFileSync("ps", ["-p", String(pid), "-o", "args="], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}
