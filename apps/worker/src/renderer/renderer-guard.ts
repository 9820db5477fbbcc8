import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { Logger } from "@reports/runtime";

/**
 * Keeps the last line that it was told, and kills the processes in it when its input ends, which it does however the worker ends.
 * Signals to the worker's group (the terminal's Ctrl-C) are not for it.
 */
const script = `trap "" INT TERM HUP
while read -r line; do pids=$line; done
[ -z "$pids" ] || kill -9 $pids`;

const restartMs = 1_000;

/** Ends renderers whose worker is gone. */
export interface RendererGuard {
  /** Says which processes there are now. */
  watch(pids: readonly number[]): void;
  /** Lets them live: the worker has ended them itself. */
  close(): void;
}

/**
 * Starts a shell of one megabyte that outlives this process by a moment: a renderer in an endless loop never hears that its worker was
 * killed, and would take a processor for ever. A thread in each renderer would do as well, for 17 MB each.
 */
export function startRendererGuard(logger: Logger): RendererGuard {
  let line = "";
  let closed = false;
  let shell: ChildProcess | null = null;

  const tell = (): void => {
    shell?.stdin?.write(`${line}\n`);
  };
  const start = (): void => {
    const started = spawn("/bin/sh", ["-c", script], {
      // It does not need secrets.
      env: {},
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    shell = started;
    // Neither it nor its pipe keeps this process alive.
    started.unref();
    (started.stdin as Socket).unref();
    // A shell that is gone is reported by its exit event.
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
