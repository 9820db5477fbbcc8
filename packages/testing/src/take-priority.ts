import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** The priority of this process's session among the others, where Linux shares the processors out among sessions; that of a process counts within its own then. */
const session = "/proc/self/autogroup";

/**
 * A load tool that shares the machine with what it measures goes before the rest, so that its own waiting for a processor does not count as
 * the answer's. Says so where that is not allowed. What is measured is started before, in a session of its own.
 */
export function takePriority(say: (line: string) => void): Disposable {
  const putBack: (() => void)[] = [];
  try {
    const before = getPriority();
    setPriority(constants.priority.PRIORITY_HIGH);
    putBack.push(() => setPriority(before));
    if (existsSync(session)) {
      const sessionBefore = /nice (-?\d+)/.exec(readFileSync(session, "utf8"))?.[1] ?? "0";
      writeFileSync(session, String(constants.priority.PRIORITY_HIGH));
      putBack.push(() => writeFileSync(session, sessionBefore));
    }
  } catch {
    say(
      "The load tool goes before nobody (that needs root): what it waits for a processor itself counts as the API's time.",
    );
  }
  return {
    [Symbol.dispose]: () => {
      for (const put of putBack) put();
    },
  };
}
