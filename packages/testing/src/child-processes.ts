import { readdirSync, readFileSync } from "node:fs";

/** Returns the IDs of the child processes of a process. Empty if the process has ended. Linux only. */
export function listChildProcesses(pid: number): readonly number[] {
  const tasks = `/proc/${pid}/task`;
  return readOr([], () => readdirSync(tasks)).flatMap((thread) =>
    readOr("", () => readFileSync(`${tasks}/${thread}/children`, "utf8"))
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

/** Returns the resident memory of a process in bytes: current (`VmRSS`) or peak (`VmHWM`). Returns 0 if the process has ended. Linux only. */
export function readMemoryBytes(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readOr("", () => readFileSync(`/proc/${pid}/status`, "latin1"));
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) * 1024;
}

/** Returns `otherwise` if the read fails, because processes and threads can end while /proc is read. */
function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
