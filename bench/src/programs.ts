import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The checkout whose programs are measured. */
export const root = join(import.meta.dirname, "../..");

/** Where others use the machine as well, ways of doing the same work must have the same share of it. */
const rendererNiceness = 10;

/** Runs a peer to its end, at the priority that renderers have, and gives the milliseconds that it took. Rejects with what it said. */
export async function timeProgram(
  command: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const startedAt = performance.now();
  await runProgram("nice", ["-n", String(rendererNiceness), command, ...parameters], environment);
  return performance.now() - startedAt;
}

/** Runs a program to its end and gives what it wrote. */
export async function runProgram(
  command: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(command, parameters, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${errors.trim() || output.trim()}`);
  return output;
}

/**
 * Makes every end of this process, by a signal or an error too, end the programs that it has started: some have sessions of their own, and would
 * be left behind. Postgres is shut down by SIGINT as the others are.
 */
export function endProgramsAtExit(): void {
  process.once("exit", () => {
    for (const pid of childrenOf(process.pid)) process.kill(pid, "SIGINT");
  });
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
}

/** Sends SIGTERM and waits for the end; a program that has ended already is left alone. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** Largest resident memory that a process has had, in MB. */
export function peakMemoryMb(pid: number): number {
  return memoryMb(pid, "VmHWM");
}

/** Resident memory of a process now, in MB. */
export function residentMemoryMb(pid: number): number {
  return memoryMb(pid, "VmRSS");
}

/** Processor time that a process has used, all its threads together, in milliseconds. */
export function processorMs(pid: number): number {
  // The name, in brackets, may hold blanks; user and system time are the 12th and 13th field after it, in ticks of 10 ms.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The same of a process and all that it has started, those that have ended included; 0 of a process that is gone, whose time is its parent's then. */
export function familyMs(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  const own = fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * 10;
  return childrenOf(pid).reduce((ms, child) => ms + familyMs(child), own);
}

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

/** 0 for a process that has just ended. */
function memoryMb(pid: number, field: string): number {
  const path = `/proc/${pid}/status`;
  const status = existsSync(path) ? readFileSync(path, "utf8") : "";
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) / 1024;
}
