import { readdirSync, readFileSync } from "node:fs";

/** Returns the IDs of the processes that a process has started and that still run. None if it is gone. Linux only. */
export function childrenOf(pid: number): readonly number[] {
  const tasks = `/proc/${pid}/task`;
  return readOr([], () => readdirSync(tasks)).flatMap((thread) =>
    readOr("", () => readFileSync(`${tasks}/${thread}/children`, "utf8"))
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

/** Processes and threads may end while they are read. */
function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
