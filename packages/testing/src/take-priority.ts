import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** The priority of this process's session among the others, where Linux shares the processors out among sessions; that of a process counts within its own then. */
const session = "/proc/self/autogroup";

/**
 * A load tool that shares the machine with what it measures goes before the rest, so that its own waiting for a processor does not count as
 * the answer's. Says so where that is not allowed. What is started meanwhile takes the priority over: start it before, in a session of its own.
 */
export function takePriority(say: (line: string) => void): Disposable {
  const before = getPriority();
  const sessionBefore = existsSync(session) ? /nice (-?\d+)/.exec(readFileSync(session, "utf8"))?.[1] : undefined;
  const put = (priority: number, sessionPriority: string | undefined): void => {
    setPriority(priority);
    if (sessionPriority !== undefined) writeFileSync(session, sessionPriority);
  };
  try {
    put(constants.priority.PRIORITY_HIGH, sessionBefore && String(constants.priority.PRIORITY_HIGH));
  } catch {
    say(
      "The load tool runs at the usual priority (another needs root): what it waits for a processor itself counts as the API's time.",
    );
  }
  return { [Symbol.dispose]: () => put(before, sessionBefore) };
}
