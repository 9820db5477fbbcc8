import { existsSync, readFileSync } from "node:fs";
import { childrenOf, memoryOf, runToEnd, type Environment } from "@reports/testing";

/** Where others use the machine as well, ways of doing the same work must have the same share of it. */
const rendererNiceness = 10;

/** Runs a peer to its end, at the priority of renderers, and returns the milliseconds that it took. */
export async function timeProgram(
  program: string,
  args: readonly string[],
  environment: Environment = {},
): Promise<number> {
  const startedAt = performance.now();
  await runProgram("nice", ["-n", String(rendererNiceness), program, ...args], environment);
  return performance.now() - startedAt;
}

/** Runs a program to its end and returns its standard output. Rejects with its log if it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Environment = {},
): Promise<string> {
  const { end, log, stdout } = await runToEnd({ name: program, program, args, environment });
  if (end !== 0) throw new Error(`${program} ended with ${end}: ${log.trim()}`);
  return stdout;
}

/** Returns the largest resident memory that a process has had, in MB. */
export function peakMemoryMb(pid: number): number {
  return memoryOf(pid, "VmHWM") / 1024 ** 2;
}

/** Returns the resident memory of a process now, in MB. */
export function residentMemoryMb(pid: number): number {
  return memoryOf(pid, "VmRSS") / 1024 ** 2;
}

/** Returns the processor time that a process has used in all its threads, in milliseconds. */
export function processorMs(pid: number): number {
  // User and system time.
  return ticksOf(pid, 2) * 10;
}

/** The same of a process and of all that it has started. 0 of a process that is gone, whose time is its parent's then. */
export function familyMs(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return 0;
  // The same, and that of children which have ended.
  const own = ticksOf(pid, 4) * 10;
  return childrenOf(pid).reduce((ms, child) => ms + familyMs(child), own);
}

/** The times of a process are the 12th field after its name and those that follow, in ticks of 10 ms. The name may hold blanks. */
function ticksOf(pid: number, times: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  return fields.slice(11, 11 + times).reduce((ticks, field) => ticks + Number(field), 0);
}
