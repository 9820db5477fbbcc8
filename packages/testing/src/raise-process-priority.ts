import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/**
 * File with the priority of this session. Linux divides processor time between sessions first, so a process's own priority counts only within its
 * session.
 */
const autogroupPath = "/proc/self/autogroup";

/**
 * Raises the priority of a load tool, whose own wait for a processor would count as latency. Run the service in another session, because the priority
 * of this session rises too.
 */
export function raiseProcessPriority(say: (line: string) => void): Disposable {
  const restores: (() => void)[] = [];
  try {
    const before = getPriority();
    setPriority(constants.priority.PRIORITY_HIGH);
    restores.push(() => setPriority(before));
    if (existsSync(autogroupPath)) {
      const sessionBefore = /nice (-?\d+)/.exec(readFileSync(autogroupPath, "utf8"))?.[1] ?? "0";
      writeFileSync(autogroupPath, String(constants.priority.PRIORITY_HIGH));
      restores.push(() => writeFileSync(autogroupPath, sessionBefore));
    }
  } catch {
    say(
      "The load tool runs without higher priority, which needs root: its own waits for a processor count as time of the API.",
    );
  }
  return {
    [Symbol.dispose]: () => {
      for (const restore of restores) restore();
    },
  };
}
