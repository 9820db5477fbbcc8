import { fork, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { HostFailureError, RendererCrashError } from "@reports/core/base";
import { rowSnapshotPathOf, runTimeExceededError, type Render, type RenderResult } from "@reports/core/report";
import { ConfigurationError, type Logger } from "@reports/runtime";
import {
  deserialiseError,
  type MessageFromRenderer,
  type RendererSettings,
  type MessageToRenderer,
} from "./protocol.ts";
import { parseRendererMessage } from "./parse-renderer-message.ts";

export interface RendererProcessOptions {
  readonly entry: string;
  readonly settings: RendererSettings;
  readonly environment: Readonly<Record<string, string>>;
  readonly maxHeapMebibytes: number;
  /** Limit of the resident memory. A process above it is killed, and its attempt fails with OUT_OF_MEMORY. */
  readonly maxRssBytes: number;
  readonly abortGraceMs: number;
  readonly logger: Logger;
}

export interface RendererProcess {
  readonly pid: number | undefined;
  /** Resolves when the process is ready. Rejects if the process ends first, with ConfigurationError if its report types can't be loaded. */
  readonly ready: Promise<void>;
  isAlive(): boolean;
  rssBytes(): number;
  readonly render: Render;
  kill(): void;
}

const memoryCheckMs = 500;
const sessionPriorityRetryMs = 200;
/**
 * Above this size, glibc allocates each block with mmap. One thread allocates blocks of rows and another frees them. Without a fixed threshold, glibc
 * raises its own after that, and its heap fragments. With it, an xlsx of 800,000 rows takes 149 MB instead of 170, in the same processor time. Other
 * C libraries ignore the variable.
 */
const allocatorVariables = { MALLOC_MMAP_THRESHOLD_: "131072" };

/** Starts a process with the import conditions of this one and without its secrets. Once ready, its priority is below the API's. */
export function startRendererProcess(options: RendererProcessOptions): RendererProcess {
  const child = fork(options.entry, [], {
    execArgv: [
      ...selectConditions(process.execArgv),
      `--max-old-space-size=${options.maxHeapMebibytes}`,
      // Rows are short-lived, so a larger young generation only keeps unused buffers longer. Peak memory of csv with 500,000 rows: 98 MB with 2, 135
      // MB with 8. Peak memory of pdf with 100,000 rows: 217 MB with 2, 228 MB with 8, 330 MB without the option.
      "--max-semi-space-size=2",
      // Compiling modules leaves garbage that V8 would collect late. Peak memory without this option, with 100, and with 50: 115, 108 and 102 MB for
      // csv of a million rows. For pdf of 100,000 rows: 295, 234 and 217 MB, in 2.7, 2.8 and 2.9 s of processor time.
      "--heap-growing-percent=50",
    ],
    env: { ...allocatorVariables, ...options.environment },
    serialization: "advanced",
    // Output of report types goes to standard error, because the worker's standard output is its log.
    stdio: ["ignore", 2, "inherit", "ipc"],
    // A detached process has its own session. With Linux's autogroup, a priority has an effect only within a session.
    detached: true,
  });
  const send = (message: MessageToRenderer): void => {
    child.send(message, () => undefined);
  };
  const exited = new Promise<RendererCrashError>((resolve) => {
    child.once("exit", (code, signal) => resolve(createCrashError(code, signal)));
    child.once("error", (error) =>
      resolve(new RendererCrashError("RENDERER_CRASHED", "A renderer process could not be started.", error)),
    );
  });
  let alive = true;
  let rssBytes = 0;
  const kill = (): void => {
    // The process counts as dead before its exit event, so that the pool gives it no report meanwhile.
    alive = false;
    child.kill("SIGKILL");
  };
  // All reports share one callback. A `then` per report would stay in memory, with the report's result, until the process ends.
  const waiting = new Set<(crash: RendererCrashError) => void>();
  let crash: RendererCrashError | null = null;
  void exited.then((exitError) => {
    alive = false;
    crash = exitError;
    for (const reject of waiting) reject(exitError);
  });
  // The priority is lowered only when the process is ready. On a busy machine, a low priority would delay the worker's start by minutes.
  const ready = Promise.race([waitUntilReady(child), exited.then((crash) => Promise.reject(crash))]).then(() => {
    void lowerPriority(child, options.logger);
  });
  ready.catch(() => undefined);
  send({ kind: "configure", settings: options.settings });

  const render: Render = async (request, { signal, onProgress }) => {
    signal.throwIfAborted();
    const outcome = Promise.withResolvers<RenderResult>();
    let killTimer: NodeJS.Timeout | undefined;
    const handle = (message: MessageFromRenderer | null): void => {
      if (message?.kind === "progress" || message?.kind === "done" || message?.kind === "failed")
        for (const { progress, atMs } of message.steps) onProgress(progress, atMs);
      if (message?.kind === "done" || message?.kind === "failed") ({ rssBytes } = message);
      if (message?.kind === "done") outcome.resolve(message.result);
      if (message?.kind === "failed") outcome.reject(deserialiseError(message.error));
    };
    const onMessage = (message: unknown): void => {
      try {
        handle(parseRendererMessage(message));
      } catch (error) {
        outcome.reject(
          new RendererCrashError("RENDERER_CRASHED", "A renderer process sent an incomplete message.", error),
        );
        kill();
      }
    };
    const onAbort = (): void => {
      send({ kind: "abort" });
      killTimer = setTimeout(kill, options.abortGraceMs);
    };
    const memoryTimer = setInterval(() => {
      if (readRssBytes(child.pid) <= options.maxRssBytes) return;
      outcome.reject(new RendererCrashError("OUT_OF_MEMORY", "A renderer process exceeded its memory limit."));
      kill();
    }, memoryCheckMs);
    // The renderer itself enforces the run-time limit, unless a function of the report type blocks its event loop.
    const limitTimer = setTimeout(() => {
      outcome.reject(runTimeExceededError(request.runTimeLimitMs));
      kill();
    }, request.runTimeLimitMs + options.abortGraceMs);
    child.on("message", onMessage);
    signal.addEventListener("abort", onAbort, { once: true });
    waiting.add(outcome.reject);
    // The process ended before it received this report, so the report is not the cause.
    if (crash !== null) outcome.reject(new HostFailureError("renderers", "A renderer process ended unused.", crash));
    try {
      send({ kind: "render", request });
      return await outcome.promise;
    } catch (error) {
      // A killed process can't remove its files.
      for (const path of [request.spoolPath, rowSnapshotPathOf(request.spoolPath)]) await rm(path, { force: true });
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(killTimer);
      clearTimeout(limitTimer);
      clearInterval(memoryTimer);
      signal.removeEventListener("abort", onAbort);
      child.off("message", onMessage);
      waiting.delete(outcome.reject);
    }
  };

  return {
    pid: child.pid,
    ready,
    isAlive: () => alive && child.connected,
    rssBytes: () => rssBytes,
    render,
    kill,
  };
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const listen = (given: unknown): void => {
      try {
        const message = parseRendererMessage(given);
        if (message?.kind === "ready") resolve();
        else if (message?.kind === "unusable") {
          const error = new ConfigurationError(message.problems);
          reject(message.isHostFailure ? new HostFailureError("renderers", error.message) : error);
        } else return;
      } catch (error) {
        reject(new RendererCrashError("RENDERER_CRASHED", "A renderer process sent an incomplete message.", error));
      }
      child.off("message", listen);
    };
    child.on("message", listen);
  });
}

function createCrashError(code: number | null, signal: NodeJS.Signals | null): RendererCrashError {
  // V8 aborts if its heap is full. If the kernel kills a process for lack of memory, that SIGKILL looks like one by the worker, so it is not
  // OUT_OF_MEMORY.
  if (signal === "SIGABRT" || code === 128 + constants.signals.SIGABRT) {
    return new RendererCrashError("OUT_OF_MEMORY", "A renderer process ran out of memory.");
  }
  return new RendererCrashError(
    "RENDERER_CRASHED",
    `A renderer process ended unexpectedly (${signal ?? `exit code ${code}`}).`,
  );
}

function selectConditions(execArgv: readonly string[]): string[] {
  return execArgv.filter((argument) => argument.startsWith("--conditions="));
}

async function lowerPriority(child: ChildProcess, logger: Logger): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    for (const thread of listThreads(pid)) lowerThreadPriority(thread);
    await lowerSessionPriority(child);
  } catch (error) {
    logger.info("renderer priority could not be lowered", { error });
  }
}

function lowerThreadPriority(thread: number): void {
  try {
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}

/**
 * Lowers the priority of the process's session, if the kernel has session priorities. Linux allows all unprivileged users together one such change
 * per 100 ms, so a refused change is repeated.
 */
async function lowerSessionPriority(child: ChildProcess): Promise<void> {
  const path = `/proc/${child.pid}/autogroup`;
  while (child.exitCode === null && child.signalCode === null && existsSync(path)) {
    try {
      writeFileSync(path, String(constants.priority.PRIORITY_BELOW_NORMAL));
      return;
    } catch (error) {
      if (errorCode(error) !== "EAGAIN") throw error;
      await delay(sessionPriorityRetryMs * (0.5 + Math.random()), undefined, { ref: false });
    }
  }
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Lists the threads of a process. On Linux, each thread has its own priority, and the threads that it starts inherit it. */
function listThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

function readRssBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
