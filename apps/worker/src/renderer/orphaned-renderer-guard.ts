import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { Logger } from "@reports/runtime";

/** Reads lines of process IDs, and kills those of the last line when its input ends, because the worker has died. Ignores Ctrl-C. */
const guardScript = `trap "" INT TERM HUP
while read -r line; do pids=$line; done
[ -z "$pids" ] || kill -9 $pids`;

const restartMs = 1_000;

export interface OrphanedRendererGuard {
  watch(pids: readonly number[]): void;
  /** Ends the guard without killing any process, because the worker has already ended the renderers. */
  close(): void;
}

/**
 * Starts a shell that kills the renderers if the worker dies. A renderer in an endless loop would not notice the death. The shell takes 1 MB of
 * memory, and a thread would take 17 MB.
 */
export function startOrphanedRendererGuard(logger: Logger): OrphanedRendererGuard {
  let line = "";
  let closed = false;
  let shell: ChildProcess | null = null;

  const sendPids = (): void => {
    shell?.stdin?.write(`${line}\n`);
  };
  const start = (): void => {
    const started = spawn("/bin/sh", ["-c", guardScript], {
      env: {},
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    shell = started;
    started.unref();
    (started.stdin as Socket).unref();
    // The exit event already reports that the shell has ended, so errors of its standard input are ignored.
    started.stdin.on("error", () => undefined);
    started.once("error", (error) => {
      shell = null;
      logger.warn("renderer guard unavailable: a looping renderer outlives a killed worker", { error });
    });
    started.once("exit", () => {
      if (!closed) setTimeout(start, restartMs).unref();
    });
    sendPids();
  };
  start();
  return {
    watch(pids) {
      line = pids.join(" ");
      sendPids();
    },
    close() {
      closed = true;
      line = "";
      sendPids();
      shell?.stdin?.end();
    },
  };
}
