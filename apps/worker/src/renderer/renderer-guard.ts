import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { Logger } from "@reports/runtime";

/** Kills the last line of process IDs when its input ends, that is, with the worker. Ignores Ctrl-C. */
const script = `trap "" INT TERM HUP
while read -r line; do pids=$line; done
[ -z "$pids" ] || kill -9 $pids`;

const restartMs = 1_000;

export interface RendererGuard {
  watch(pids: readonly number[]): void;
  /** Ends the guard without killing: the worker has ended the processes itself. */
  close(): void;
}

/** Starts a 1 MB shell: a renderer in an endless loop never notices that its worker died. A thread takes 17 MB. */
export function startRendererGuard(logger: Logger): RendererGuard {
  let line = "";
  let closed = false;
  let shell: ChildProcess | null = null;

  const tell = (): void => {
    shell?.stdin?.write(`${line}\n`);
  };
  const start = (): void => {
    const started = spawn("/bin/sh", ["-c", script], {
      // It needs no secrets.
      env: {},
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    shell = started;
    // It does not keep this process alive.
    started.unref();
    (started.stdin as Socket).unref();
    // Its exit event reports a dead shell.
    started.stdin.on("error", () => undefined);
    started.once("error", (error) => {
      shell = null;
      logger.warn("renderer guard unavailable: a looping renderer outlives a killed worker", { error });
    });
    started.once("exit", () => {
      if (!closed) setTimeout(start, restartMs).unref();
    });
    tell();
  };
  start();
  return {
    watch(pids) {
      line = pids.join(" ");
      tell();
    },
    close() {
      closed = true;
      line = "";
      tell();
      shell?.stdin?.end();
    },
  };
}
