import { childrenOf } from "../child-processes.ts";
import type { PostgresServer } from "./start-postgres.ts";

/** Stops a server and its sessions, like a paused virtual machine, until the returned function continues them. Linux only. */
export function freezePostgres(server: Pick<PostgresServer, "pid">): () => void {
  // The postmaster first, so that no session begins meanwhile.
  signal(server.pid, "SIGSTOP");
  const children = childrenOf(server.pid);
  for (const pid of children) signal(pid, "SIGSTOP");
  return () => {
    for (const pid of [...children, server.pid]) signal(pid, "SIGCONT");
  };
}

/** A session may end before the signal, and a stopped server may be killed. */
function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
