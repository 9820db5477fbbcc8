import { constants } from "node:os";

/** Something that must not outlive this process. */
export interface Ending {
  /** Runs while this process exits: it cannot wait. */
  kill(): void;
}

const endings = new Set<Ending>();
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let isWatching = false;

/**
 * Kills the given thing when this process exits. A signal that nobody else handles becomes an exit. Returns a function that forgets it.
 * Processes in a session of their own outlive their parent otherwise.
 */
export function endWithUs(ending: Ending): () => void {
  if (!isWatching) watch();
  endings.add(ending);
  return () => void endings.delete(ending);
}

function watch(): void {
  isWatching = true;
  process.once("exit", () => {
    for (const ending of endings) ending.kill();
  });
  for (const signal of signals)
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/** Sends a signal to a process that may have ended meanwhile. A negative ID names a process group. */
export function trySignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
