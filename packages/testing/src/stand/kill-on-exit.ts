import { constants } from "node:os";

export interface Killable {
  /** Must be synchronous, because it is called while this process exits. */
  kill(): void;
}

const killables = new Set<Killable>();
const exitSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let isWatching = false;

/** Calls `kill` when this process exits, because child processes in their own session outlive their parent. Returns a function that cancels this. */
export function killOnExit(killable: Killable): () => void {
  if (!isWatching) watchExit();
  killables.add(killable);
  return () => void killables.delete(killable);
}

function watchExit(): void {
  isWatching = true;
  process.once("exit", () => {
    for (const killable of killables) killable.kill();
  });
  for (const signal of exitSignals)
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/** Sends a signal to a process. Does nothing if the process has ended. A negative ID means a process group. */
export function signalIfRunning(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
