import { constants, getPriority, setPriority } from "node:os";

/**
 * A load tool that shares the machine with what it measures goes before the rest, so that its own waiting for a processor does not count as
 * the answer's. Says so where that is not allowed. What is started meanwhile takes the priority over: start it before.
 */
export function takePriority(say: (line: string) => void): Disposable {
  const before = getPriority();
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    say(
      "The load tool runs at the usual priority (another needs root): what it waits for a processor itself counts as the API's time.",
    );
  }
  return { [Symbol.dispose]: () => setPriority(before) };
}
