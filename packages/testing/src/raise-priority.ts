import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** Linux shares processors between sessions first; the priority of a process counts only within its session. */
const session = "/proc/self/autogroup";

/** Raises a load tool above the service, which must be in a session of its own, so that its waiting does not count as latency. */
export function raisePriority(say: (line: string) => void): Disposable {
  const restores: (() => void)[] = [];
  try {
    const before = getPriority();
    setPriority(constants.priority.PRIORITY_HIGH);
    restores.push(() => setPriority(before));
    if (existsSync(session)) {
      const sessionBefore = /nice (-?\d+)/.exec(readFileSync(session, "utf8"))?.[1] ?? "0";
      writeFileSync(session, String(constants.priority.PRIORITY_HIGH));
      restores.push(() => writeFileSync(session, sessionBefore));
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
