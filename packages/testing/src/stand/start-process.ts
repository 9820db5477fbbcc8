import { spawn, type ChildProcess } from "node:child_process";
import { waitFor } from "../wait-for.ts";
import { killOnExit, signalIfRunning } from "./kill-on-exit.ts";
import { findListeningPorts } from "./listening-ports.ts";
import { createMemoryProcessOutput, createFileProcessOutput } from "./process-output.ts";
import type { ProcessEnvironment, ProcessEnd, StandProcessOptions, StandProcess } from "./stand-process.ts";

const firstDelayMs = 500;
/** After a run of this length, the pause before the next restart is reset to the first one. */
const stableRunMs = 30_000;
const logTail = 4_000;

/** Starts a program in its own session, with only the given environment and PATH. It is killed when this process exits. */
export function startProcess(options: StandProcessOptions): StandProcess {
  const declared = createUnstartedProcess(options);
  declared.start();
  return declared;
}

export async function runProcessToEnd(
  options: StandProcessOptions,
): Promise<{ readonly end: ProcessEnd; readonly log: string; readonly stdout: string }> {
  const started = startProcess(options);
  const end = await started.ended;
  return { end, log: started.log(), stdout: started.stdout() };
}

export function createUnstartedProcess(options: StandProcessOptions): StandProcess {
  const { name, program = process.execPath, supervised } = options;
  const { logPath, maxLogLength } = options;
  const output =
    logPath === undefined ? createMemoryProcessOutput(options.onLine, maxLogLength) : createFileProcessOutput(logPath);
  const pids: number[] = [];
  const unexpectedEnds: string[] = [];
  const expectedEnds = new WeakSet<ChildProcess>();
  let environment: ProcessEnvironment = options.environment;
  let child: ChildProcess | null = null;
  let ended: Promise<ProcessEnd> = Promise.resolve(0);
  let shouldRun = false;
  /** Counts stops, kills and restarts. If the count changes during a restart, the restart starts no process. */
  let orders = 0;
  let wasReady = supervised?.retriesStart === true;
  let delayMs = supervised?.firstDelayMs ?? firstDelayMs;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    clearTimeout(timer);
    if (child !== null) return;
    shouldRun = true;
    const startedAt = performance.now();
    const { stdio, follow } = output.open();
    const started = spawn(program, options.args, {
      cwd: options.cwd,
      env: { PATH: process.env["PATH"], ...environment },
      stdio,
      // A new session gets its own share of processor time. In the session of a load tool, the service would get less.
      detached: true,
    });
    follow(started);
    child = started;
    if (started.pid !== undefined) pids.push(started.pid);
    const forget = killOnExit({ kill: () => started.pid !== undefined && signalIfRunning(-started.pid, "SIGKILL") });
    const end = new Promise<ProcessEnd>((resolve) => {
      started.once("exit", (code, signal) => resolve(code ?? signal!));
      started.on("error", (error) => resolve(error.message));
    });
    ended = end.then(async (how) => {
      forget();
      child = null;
      if (performance.now() - startedAt > stableRunMs) delayMs = supervised?.firstDelayMs ?? firstDelayMs;
      if (!expectedEnds.has(started)) unexpectedEnds.push(typeof how === "number" ? `exit code ${how}` : how);
      options.onChange?.();
      await output.drained(started);
      if (child === null) restartLater(how);
      return how;
    });
    options.onChange?.();
  }

  function restartLater(how: ProcessEnd): void {
    const willRestart = shouldRun && supervised !== undefined && wasReady;
    options.onEnd?.(how, willRestart ? delayMs : null);
    if (!willRestart) return;
    timer = setTimeout(start, delayMs);
    delayMs = Math.min(delayMs * 2, supervised.longestDelayMs ?? delayMs);
  }

  async function stop(timeoutMs = 60_000): Promise<number | null> {
    orders += 1;
    shouldRun = false;
    clearTimeout(timer);
    const ending = child;
    if (ending !== null && !expectedEnds.has(ending)) {
      expectedEnds.add(ending);
      ending.kill("SIGCONT");
      ending.kill("SIGTERM");
    }
    const force = setTimeout(() => ending?.kill("SIGKILL"), timeoutMs);
    const how = await ended;
    clearTimeout(force);
    return typeof how === "number" ? how : null;
  }

  async function isReady(): Promise<boolean> {
    const { origin, readyPath = "/health/ready" } = options;
    const pid = child?.pid;
    if (origin === undefined || pid === undefined) return false;
    const isAnswered = await fetch(`${origin}${readyPath}`, { signal: AbortSignal.timeout(2_000) }).then(
      async (response) => (await response.text(), response.ok),
      () => false,
    );
    // Another process may have taken the port. It would answer although this process cannot listen and ends.
    return isAnswered && (process.platform !== "linux" || (await findListeningPorts(pid)).includes(parsePort(origin)));
  }

  async function whileItRuns(what: string, isMet: () => boolean | Promise<boolean>, timeoutMs?: number): Promise<void> {
    const willRun = (): boolean => child !== null || (shouldRun && supervised !== undefined && wasReady);
    const check = async (): Promise<boolean> => {
      const isOver = !willRun();
      // Output may arrive after the end of the process, so the condition is checked once more.
      const how = isOver ? await ended : null;
      if (await isMet()) return true;
      if (isOver) throw new Error(`${name} ended (${how}) in the wait for ${what}.`);
      return false;
    };
    try {
      await waitFor(check, { what: `${name}: ${what}`, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    } catch (error) {
      throw new Error(`${(error as Error).message} Its log ends:\n${output.text().slice(-logTail)}`, { cause: error });
    }
  }

  return {
    name,
    get origin() {
      if (options.origin === undefined) throw new Error(`${name} has no address.`);
      return options.origin;
    },
    get pid() {
      return child?.pid ?? null;
    },
    pids,
    unexpectedEnds,
    get ended() {
      return ended;
    },
    start,
    isReady,
    async ready(timeoutMs = supervised?.retriesStart === true ? 300_000 : 120_000) {
      await whileItRuns("readiness", isReady, timeoutMs);
      wasReady = true;
    },
    log: () => output.text(),
    stdout: () => output.stdout(),
    waitForLog: async (text, timeoutMs) =>
      whileItRuns(`the line ${text}`, () => output.text().includes(text), timeoutMs),
    signal(signal) {
      if (child === null) return null;
      if (signal === "SIGKILL") expectedEnds.add(child);
      const pid = child.pid!;
      child.kill(signal);
      return pid;
    },
    stop,
    async kill() {
      orders += 1;
      shouldRun = false;
      clearTimeout(timer);
      if (child !== null) expectedEnds.add(child);
      child?.kill("SIGKILL");
      await ended;
    },
    async restart(more = {}) {
      const stopped = stop();
      const order = orders;
      await stopped;
      if (order !== orders) return;
      environment = { ...options.environment, ...more };
      delayMs = supervised?.firstDelayMs ?? firstDelayMs;
      start();
      if (options.origin !== undefined) await this.ready();
    },
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

function parsePort(origin: string): number {
  return Number(new URL(origin).port);
}
