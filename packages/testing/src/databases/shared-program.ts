import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { sharedProgramSuffix, type SharedProgram } from "./session.ts";
import { shareInTestRun } from "./share-in-test-run.ts";

/** Starts a module in its own process, once per vitest run, and returns the JSON that it printed. The module must call `serveUntilTerminated`. */
export async function startSharedProgram<T>(path: string): Promise<T> {
  const name = basename(path, ".ts");
  const { ready } = await shareInTestRun(`${name}${sharedProgramSuffix}`, async (folder) =>
    startProgram(path, join(folder, `${name}.log`)),
  );
  return ready as T;
}

/** Starts a service, prints it as one line of JSON, and disposes it on SIGTERM. */
export async function serveUntilTerminated(start: () => Promise<AsyncDisposable>): Promise<void> {
  const terminated = once(process, "SIGTERM");
  await using service = await start();
  process.stdout.write(`${JSON.stringify(service)}\n`);
  const running = setInterval(() => undefined, 60_000);
  await terminated;
  clearInterval(running);
}

async function startProgram(path: string, logPath: string): Promise<SharedProgram> {
  const log = openSync(logPath, "a", 0o600);
  // In its own session, the program outlives the test process that starts it.
  const child = spawn(process.execPath, ["--conditions=@reports/source", path], {
    stdio: ["ignore", "pipe", log],
    detached: true,
  });
  closeSync(log);
  const lines = createInterface({ input: child.stdout! });
  const line = await Promise.race([
    once(lines, "line").then(([text]) => String(text)),
    once(child, "exit").then(async ([code]) => {
      throw new Error(`${path} ended with ${code} before it was ready:\n${await readFile(logPath, "utf8")}`);
    }),
  ]);
  lines.close();
  child.stdout!.destroy();
  child.unref();
  return { pid: child.pid!, ready: JSON.parse(line) as unknown };
}
