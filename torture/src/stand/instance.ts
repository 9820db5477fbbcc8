import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { waitFor } from "@reports/testing";

/** How a process of the stand is started. */
export interface InstanceOptions {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly logPath: string;
  /** Answers 200 at /health/ready once the process works. */
  readonly origin: string;
}

/** One process of the stand, started again whenever it ends unasked, as a supervisor in production does. */
export interface Instance {
  readonly name: string;
  readonly origin: string;
  /** Null while it is dead. */
  readonly pid: number | null;
  /** Every process id that it had, in order. */
  readonly pids: readonly number[];
  /** How often it ended without having been killed or stopped by the harness. */
  readonly unaskedEnds: readonly string[];
  start(): void;
  ready(timeoutMs?: number): Promise<void>;
  isReady(): Promise<boolean>;
  /** A signal to the living process; SIGKILL is followed by a new one. Null when it is dead. */
  signal(name: NodeJS.Signals): number | null;
  /** SIGTERM, and no new process; the exit code, null when it had to be killed. */
  stop(timeoutMs?: number): Promise<number | null>;
  /** At once, and no new process. */
  kill(): void;
}

const restartDelayMs = 500;

/** Declares a process; nothing runs before `start`. */
export function createInstance(options: InstanceOptions): Instance {
  let child: ChildProcess | null = null;
  let wanted = false;
  let timer: NodeJS.Timeout | undefined;
  const asked = new WeakSet<ChildProcess>();
  const pids: number[] = [];
  const unaskedEnds: string[] = [];

  function start(): void {
    if (child !== null) return;
    wanted = true;
    const log = openSync(options.logPath, "a");
    const started = spawn(process.execPath, options.parameters, {
      env: options.environment,
      stdio: ["ignore", log, log],
      // In a session of its own, as a service is: a load tool that takes priority takes it for its session.
      detached: true,
    });
    closeSync(log);
    child = started;
    pids.push(started.pid!);
    started.once("exit", (code, signal) => {
      child = null;
      if (!asked.has(started)) unaskedEnds.push(signal ?? `exit code ${code}`);
      if (wanted) timer = setTimeout(start, restartDelayMs);
    });
  }

  const isReady = (): Promise<boolean> =>
    fetch(`${options.origin}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
      async (answer) => (await answer.text(), answer.ok),
      () => false,
    );

  return {
    name: options.name,
    origin: options.origin,
    get pid() {
      return child?.pid ?? null;
    },
    pids,
    unaskedEnds,
    start,
    isReady,
    async ready(timeoutMs = 300_000) {
      await waitFor(isReady, {
        what: `${options.name} to be ready (log: ${options.logPath})`,
        timeoutMs,
        intervalMs: 200,
      });
    },
    signal(name) {
      if (child === null) return null;
      if (name === "SIGKILL") asked.add(child);
      const pid = child.pid!;
      child.kill(name);
      return pid;
    },
    async stop(timeoutMs = 60_000) {
      wanted = false;
      clearTimeout(timer);
      const ending = child;
      if (ending === null) return 0;
      asked.add(ending);
      const exited = new Promise<number | null>((resolve) => ending.once("exit", (code) => resolve(code)));
      ending.kill("SIGCONT");
      ending.kill("SIGTERM");
      const force = setTimeout(() => ending.kill("SIGKILL"), timeoutMs);
      const code = await exited;
      clearTimeout(force);
      return code;
    },
    kill() {
      wanted = false;
      clearTimeout(timer);
      child?.kill("SIGKILL");
    },
  };
}
