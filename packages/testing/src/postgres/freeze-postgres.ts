import { listChildProcesses } from "../child-processes.ts";
import type { PostgresServer } from "./start-postgres.ts";

/** Suspends a server and its sessions, like a paused virtual machine. The returned function resumes them. Linux only. */
export function freezePostgres(server: Pick<PostgresServer, "pid">): () => void {
  // Suspend the postmaster first. Otherwise, it could start a new session meanwhile.
  sendSignal(server.pid, "SIGSTOP");
  const children = listChildProcesses(server.pid);
  for (const pid of children) sendSignal(pid, "SIGSTOP");
  return () => {
    for (const pid of [...children, server.pid]) sendSignal(pid, "SIGCONT");
  };
}

/** Ignores processes that have ended: sessions can end at any time, and a test may kill the suspended server. */
function sendSignal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
