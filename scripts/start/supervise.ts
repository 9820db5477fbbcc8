import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** What is to be kept running. */
export interface SupervisedProgram {
  readonly name: string;
  /** Parameters of Node. */
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
}

/** What the supervisor tells. */
export interface SupervisorEvents {
  onLine(name: string, line: string): void;
  /** Called after every start and end of a process. */
  onProcess(): void;
}

/** A program that is started again whenever it ends unasked. */
export interface Supervised {
  readonly name: string;
  readonly pid: number | undefined;
  start(): void;
  /** From now on an end is a crash, and the program is started again. Before, it is a failed start. */
  markReady(): void;
  /** Rejects when the program ends before it was ready; never resolves. */
  readonly failedStart: Promise<never>;
  /** Ends it in order and starts it again, for a change of its sources. */
  restart(): Promise<void>;
  /** SIGTERM, and SIGKILL after the grace. */
  stop(): Promise<void>;
  /** At once. */
  kill(): void;
}

/** A program ended before it was ready. */
export class FailedStartError extends Error {
  override readonly name = "FailedStartError";
  readonly exitCode: number;
  constructor(program: string, exitCode: number) {
    super(`The ${program} ended while starting (exit code ${exitCode}); what it said is above.`);
    this.exitCode = exitCode;
  }
}

const graceMs = 60_000;
const firstDelayMs = 500;
const longestDelayMs = 15_000;
/** A process that lived this long has recovered: its next crash is a first one. */
const soundAfterMs = 30_000;

/** Keeps one program running, with a growing pause between crashes. Nothing runs before `start`. */
export function supervise(program: SupervisedProgram, events: SupervisorEvents): Supervised {
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  let wanted = false;
  let retired = false;
  let ready = false;
  let delayMs = firstDelayMs;
  const signalled = new WeakSet<ChildProcess>();
  let timer: NodeJS.Timeout | undefined;
  const failedStart = Promise.withResolvers<never>();
  failedStart.promise.catch(() => undefined);

  function start(): void {
    clearTimeout(timer);
    if (child !== undefined || retired) return;
    wanted = true;
    const startedAt = performance.now();
    const started = spawn(process.execPath, program.parameters, {
      cwd: program.workingDirectory,
      env: program.environment,
      stdio: ["ignore", "pipe", "pipe"],
      // Its own process group: a Ctrl-C at the terminal reaches the supervisor alone, which stops the programs in order.
      detached: true,
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      createInterface({ input: stream, crlfDelay: Infinity }).on("line", (line) => events.onLine(program.name, line));
    }
    ended = new Promise((resolve) => {
      started.once("close", (code, signal) => {
        if (performance.now() - startedAt > soundAfterMs) delayMs = firstDelayMs;
        child = undefined;
        resolve();
        events.onProcess();
        if (wanted) onUnaskedEnd(code, signal);
      });
    });
    events.onProcess();
  }

  function onUnaskedEnd(code: number | null, signal: NodeJS.Signals | null): void {
    if (!ready) {
      failedStart.reject(new FailedStartError(program.name, code ?? 1));
      return;
    }
    events.onLine(
      program.name,
      `ended unexpectedly (${signal ?? `exit code ${code}`}), starting again in ${delayMs / 1000} s`,
    );
    timer = setTimeout(start, delayMs);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }

  /** One SIGTERM, however many ask for the end: a second one would cut the orderly end short. */
  function end(): Promise<void> {
    wanted = false;
    clearTimeout(timer);
    const ending = child;
    if (ending !== undefined && !signalled.has(ending)) {
      signalled.add(ending);
      ending.kill("SIGTERM");
      const force = setTimeout(() => ending.kill("SIGKILL"), graceMs);
      void ended.then(() => clearTimeout(force));
    }
    return ended;
  }

  return {
    name: program.name,
    get pid() {
      return child?.pid;
    },
    failedStart: failedStart.promise,
    start,
    stop() {
      retired = true;
      return end();
    },
    markReady: () => void (ready = true),
    async restart() {
      await end();
      delayMs = firstDelayMs;
      start();
    },
    kill() {
      wanted = false;
      retired = true;
      clearTimeout(timer);
      child?.kill("SIGKILL");
    },
  };
}
