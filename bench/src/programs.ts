import { existsSync, readFileSync } from "node:fs";
import { listChildProcesses, readMemoryBytes, runProcessToEnd, type ProcessEnvironment } from "@reports/testing";

/**
 * Gives a peer program the priority of renderers, so that other load on the machine slows both equally: the niceness, and the priority of its session
 * if the kernel divides processor time between sessions first.
 */
const withRendererPriority = `{ echo 10 >/proc/self/autogroup; } 2>/dev/null; exec nice -n 10 "$@"`;

export async function measureProgramMs(
  program: string,
  args: readonly string[],
  environment: ProcessEnvironment = {},
): Promise<number> {
  const startedAt = performance.now();
  await runProgram("sh", ["-c", withRendererPriority, "sh", program, ...args], environment);
  return performance.now() - startedAt;
}

export async function runProgram(
  program: string,
  args: readonly string[],
  environment: ProcessEnvironment = {},
): Promise<string> {
  const { end, log, stdout } = await runProcessToEnd({ name: program, program, args, environment });
  if (end !== 0) throw new Error(`${program} ended with ${end}: ${log.trim()}`);
  return stdout;
}

export function readPeakMemoryMebibytes(pid: number): number {
  return readMemoryBytes(pid, "VmHWM") / 1024 ** 2;
}

export function readResidentMemoryMebibytes(pid: number): number {
  return readMemoryBytes(pid, "VmRSS") / 1024 ** 2;
}

export function readProcessorMs(pid: number): number {
  // The first two time fields of /proc/PID/stat are the user and system time of the process itself, without its children. A tick has 10 ms.
  return ticksOf(pid, 2) * 10;
}

/**
 * Returns the processor time in ms of a process and its descendants. Returns 0 for an ended process, because the time is then part of its parent's.
 */
export function readProcessTreeProcessorMs(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return 0;
  // Four time fields: user and system time of the process, then those of its ended children.
  const own = ticksOf(pid, 4) * 10;
  return listChildProcesses(pid).reduce((ms, child) => ms + readProcessTreeProcessorMs(child), own);
}

/** Adds up `times` time fields of /proc/PID/stat, in ticks of 10 ms. The first is the 12th field after the program name, which may contain blanks. */
function ticksOf(pid: number, times: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  return fields.slice(11, 11 + times).reduce((ticks, field) => ticks + Number(field), 0);
}
