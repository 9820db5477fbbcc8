import { readdirSync, readFileSync } from "node:fs";

/** Returns the IDs of running children. None if the process is gone. Linux only. */
export function childrenOf(pid: number): readonly number[] {
  const tasks = `/proc/${pid}/task`;
  return readOr([], () => readdirSync(tasks)).flatMap((thread) =>
    readOr("", () => readFileSync(`${tasks}/${thread}/children`, "utf8"))
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

/** Returns resident memory in bytes, now (`VmRSS`) or at its peak (`VmHWM`). 0 if the process is gone. Linux only. */
export function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readOr("", () => readFileSync(`/proc/${pid}/status`, "latin1"));
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) * 1024;
}

/** Processes and threads may end while they are read. */
function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
