import { existsSync, readFileSync } from "node:fs";
import { childrenOf, memoryOf, runToEnd, type Environment } from "@reports/testing";

/** On a busy machine all ways of doing the same work must get the same share of it. */
const rendererNiceness = 10;

/** Runs a peer at the priority of renderers, and returns its milliseconds. */
export async function timeProgram(
  program: string,
  args: readonly string[],
  environment: Environment = {},
): Promise<number> {
  const startedAt = performance.now();
  await runProgram("nice", ["-n", String(rendererNiceness), program, ...args], environment);
  return performance.now() - startedAt;
}

/** Returns the standard output. Rejects with the log of a program that fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Environment = {},
): Promise<string> {
  const { end, log, stdout } = await runToEnd({ name: program, program, args, environment });
  if (end !== 0) throw new Error(`${program} ended with ${end}: ${log.trim()}`);
  return stdout;
}

export function peakMemoryMb(pid: number): number {
  return memoryOf(pid, "VmHWM") / 1024 ** 2;
}

export function residentMemoryMb(pid: number): number {
  return memoryOf(pid, "VmRSS") / 1024 ** 2;
}

/** Processor time of all threads, in milliseconds. */
export function processorMs(pid: number): number {
  // User and system time.
  return ticksOf(pid, 2) * 10;
}

/** Includes all descendants. Returns 0 for a process that is gone, whose time its parent then has. */
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
