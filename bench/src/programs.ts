import { existsSync, readFileSync } from "node:fs";
import { listChildProcesses, readMemoryBytes, runToEnd, type Environment } from "@reports/testing";

/** The niceness at which the service runs its renderers. Peers run at the same one, so that both get an equal share of a busy machine. */
const rendererNiceness = 10;

/** Runs a peer program at the priority of renderers. Returns its duration in ms. */
export async function timeProgram(
  program: string,
  args: readonly string[],
  environment: Environment = {},
): Promise<number> {
  const startedAt = performance.now();
  await runProgram("nice", ["-n", String(rendererNiceness), program, ...args], environment);
  return performance.now() - startedAt;
}

/** Returns the standard output. Rejects with the program's log unless it exits with 0. */
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
  return readMemoryBytes(pid, "VmHWM") / 1024 ** 2;
}

export function residentMemoryMb(pid: number): number {
  return readMemoryBytes(pid, "VmRSS") / 1024 ** 2;
}

export function processorMs(pid: number): number {
  // Two fields: user and system time.
  return ticksOf(pid, 2) * 10;
}

/** Returns the processor time of a process and its descendants, in ms. An ended process counts as 0, because its parent has its time. */
export function processTreeMs(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return 0;
  // Four fields: user and system time of the process, then those of its ended children.
  const own = ticksOf(pid, 4) * 10;
  return listChildProcesses(pid).reduce((ms, child) => ms + processTreeMs(child), own);
}

/** Adds up time fields of /proc/PID/stat, in ticks of 10 ms. They begin 12 fields after the name, which may contain blanks. */
function ticksOf(pid: number, times: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  return fields.slice(11, 11 + times).reduce((ticks, field) => ticks + Number(field), 0);
}
