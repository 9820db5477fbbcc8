import { childrenOf } from "../child-processes.ts";
import type { PostgresServer } from "./start-postgres.ts";

/**
 * Stops a server and all of its sessions in the middle of whatever they do, as a paused virtual machine or an exhausted host would: its
 * connections stand, what is sent to it is kept by the system, and nothing is answered until the returned function lets it go on. Linux only.
 */
export function freezePostgres(server: Pick<PostgresServer, "pid">): () => void {
  // The postmaster first, so that no session begins meanwhile.
  signal(server.pid, "SIGSTOP");
  const children = childrenOf(server.pid);
  for (const pid of children) signal(pid, "SIGSTOP");
  return () => {
    for (const pid of [...children, server.pid]) signal(pid, "SIGCONT");
  };
}

/** A session may end between the look and the signal, and a stopped server be killed. */
function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
