import { fork, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { HostFailureError, RendererCrashError } from "@reports/core/base";
import { keptRowsPathOf, runTimeExceeded, type Render, type RenderResult } from "@reports/core/report";
import { ConfigurationError, type Logger } from "@reports/runtime";
import { unpackError, type FromRenderer, type RendererSettings, type ToRenderer } from "./protocol.ts";
import { readMessage } from "./read-message.ts";

/** How renderer processes are started and bounded. */
export interface RendererProcessOptions {
  /** The module that a renderer process runs. */
  readonly entry: string;
  readonly settings: RendererSettings;
  /** All of its environment but for the allocator's: typesEnvironment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of the JavaScript heap. */
  readonly maxHeapMebibytes: number;
  /** Of the whole process; more than that ends the attempt as out of memory. */
  readonly maxRssBytes: number;
  /** How long an aborted report may take to end by itself before its process is killed. */
  readonly abortGraceMs: number;
  readonly logger: Logger;
}

/** One renderer process: makes one file at a time. */
export interface RendererProcess {
  readonly pid: number | undefined;
  /** Resolves when the process is ready for its first report; rejects when it died before, with ConfigurationError when its report types cannot be loaded. */
  readonly ready: Promise<void>;
  /** Whether it can take another report. */
  isAlive(): boolean;
  /** Resident memory at the end of its last report. */
  rssBytes(): number;
  readonly render: Render;
  kill(): void;
}

const memoryCheckMs = 500;
const sessionPriorityRetryMs = 200;
/**
 * Blocks of rows are made on one thread and given back on another. Once the C library has seen one freed it no longer asks the system for each, and the
 * holes that they leave behind grow; a threshold that is set stays (xlsx of 800,000 rows: 149 MB instead of 170, for the same processor time).
 * Other libraries than glibc ignore it.
 */
const allocator = { MALLOC_MMAP_THRESHOLD_: "131072" };

/** Starts a renderer process, with the resolve conditions of this one and none of its secrets; once it is ready, with less priority than the API beside it. */
export function startRendererProcess(options: RendererProcessOptions): RendererProcess {
  const child = fork(options.entry, [], {
    execArgv: [
      ...conditionsOf(process.execArgv),
      `--max-old-space-size=${options.maxHeapMebibytes}`,
      // Rows live for moments: a larger young generation only makes the process larger, because buffers that are done with wait in it
      // (csv of 500,000 rows: 135 MB with 8, 98 MB with 2; pdf of 100,000 rows: 228 and 217 MB, 330 MB without).
      "--max-semi-space-size=2",
      // Modules are compiled on the way to the first report, and what is left of that waits for a collection that comes late without this
      // (csv of a million rows: 115 MB without, 108 with 100, 102 with 50; pdf of 100,000 rows: 295, 234 and 217 MB, for 2.7, 2.8 and 2.9 s
      // of processor time; the third pdf of a process 247 MB with 75 and 226 with 50).
      "--heap-growing-percent=50",
    ],
    env: { ...allocator, ...options.environment },
    serialization: "advanced",
    // What functions of report types print is for whoever looks for it: the worker's standard output is its log, line by line.
    stdio: ["ignore", 2, "inherit", "ipc"],
    // A session of its own: where Linux shares the processors out among sessions (autogroup), a priority counts only within one.
    detached: true,
  });
  const send = (message: ToRenderer): void => {
    child.send(message, () => undefined);
  };
  const exited = new Promise<RendererCrashError>((resolve) => {
    child.once("exit", (code, signal) => resolve(toCrash(code, signal)));
    child.once("error", (error) =>
      resolve(new RendererCrashError("RENDERER_CRASHED", "A renderer process could not be started.", error)),
    );
  });
  let alive = true;
  let rssBytes = 0;
  const kill = (): void => {
    // Known to be gone before its exit is heard of, so that nobody is given it meanwhile.
    alive = false;
    child.kill("SIGKILL");
  };
  // One reaction for all reports: what is waited for by a reaction of its own is kept, with its result, for as long as the process lives.
  const waiting = new Set<(crash: RendererCrashError) => void>();
  let crash: RendererCrashError | null = null;
  void exited.then((seen) => {
    alive = false;
    crash = seen;
    for (const tell of waiting) tell(seen);
  });
  // Not before: on a busy machine it would take minutes to start, and a worker works only once its renderers are ready.
  const ready = Promise.race([configured(child), exited.then((crash) => Promise.reject(crash))]).then(() => {
    void lowerPriority(child, options.logger);
  });
  ready.catch(() => undefined);
  send({ kind: "configure", settings: options.settings });

  const render: Render = async (request, { signal, onProgress }) => {
    signal.throwIfAborted();
    const outcome = Promise.withResolvers<RenderResult>();
    let killTimer: NodeJS.Timeout | undefined;
    const hear = (message: FromRenderer | null): void => {
      if (message?.kind === "progress" || message?.kind === "done" || message?.kind === "failed")
        for (const { progress, atMs } of message.steps) onProgress(progress, atMs);
      if (message?.kind === "done" || message?.kind === "failed") ({ rssBytes } = message);
      if (message?.kind === "done") outcome.resolve(message.result);
      if (message?.kind === "failed") outcome.reject(unpackError(message.error));
    };
    const onMessage = (message: unknown): void => {
      try {
        hear(readMessage(message));
      } catch (error) {
        outcome.reject(new RendererCrashError("RENDERER_CRASHED", "A renderer process sent half a message.", error));
        kill();
      }
    };
    const onAbort = (): void => {
      send({ kind: "abort" });
      killTimer = setTimeout(kill, options.abortGraceMs);
    };
    const memoryTimer = setInterval(() => {
      if (rssOf(child.pid) <= options.maxRssBytes) return;
      outcome.reject(new RendererCrashError("OUT_OF_MEMORY", "A renderer process exceeded its memory limit."));
      kill();
    }, memoryCheckMs);
    // The renderer ends its report at the limit by itself, unless a function of its type never gives the processor back.
    const limitTimer = setTimeout(() => {
      outcome.reject(runTimeExceeded(request.runTimeLimitMs));
      kill();
    }, request.runTimeLimitMs + options.abortGraceMs);
    child.on("message", onMessage);
    signal.addEventListener("abort", onAbort, { once: true });
    waiting.add(outcome.reject);
    // It ended before the report reached it, so the report is not the cause.
    if (crash !== null) outcome.reject(new HostFailureError("renderers", "A renderer process ended unused.", crash));
    try {
      send({ kind: "render", request });
      return await outcome.promise;
    } catch (error) {
      // A process that was killed could not tidy up after itself.
      for (const path of [request.spoolPath, keptRowsPathOf(request.spoolPath)]) await rm(path, { force: true });
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

/** What the process says to its settings. */
async function configured(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const listen = (given: unknown): void => {
      try {
        const message = readMessage(given);
        if (message?.kind === "ready") resolve();
        else if (message?.kind === "unusable") {
          const error = new ConfigurationError(message.problems);
          reject(message.isOfHost ? new HostFailureError("renderers", error.message) : error);
        } else return;
      } catch (error) {
        reject(new RendererCrashError("RENDERER_CRASHED", "A renderer process sent half a message.", error));
      }
      child.off("message", listen);
    };
    child.on("message", listen);
  });
}

function toCrash(code: number | null, signal: NodeJS.Signals | null): RendererCrashError {
  // V8 aborts when its heap is full; the kernel's killer sends SIGKILL, which cannot be told from ours.
  if (signal === "SIGABRT" || code === 128 + constants.signals.SIGABRT) {
    return new RendererCrashError("OUT_OF_MEMORY", "A renderer process ran out of memory.");
  }
  return new RendererCrashError(
    "RENDERER_CRASHED",
    `A renderer process ended unexpectedly (${signal ?? `exit code ${code}`}).`,
  );
}

function conditionsOf(execArgv: readonly string[]): string[] {
  return execArgv.filter((argument) => argument.startsWith("--conditions="));
}

async function lowerPriority(child: ChildProcess, logger: Logger): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    for (const thread of threadsOf(pid)) lowerThreadPriority(thread);
    await lowerSessionPriority(child);
  } catch (error) {
    logger.info("renderer priority could not be lowered", { error });
  }
}

function lowerThreadPriority(thread: number): void {
  try {
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    // It has ended.
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/** The priority of the process's session among the others, where the kernel has one. Of all users but root it takes one such change every 100 ms. */
async function lowerSessionPriority(child: ChildProcess): Promise<void> {
  const path = `/proc/${child.pid}/autogroup`;
  while (child.exitCode === null && child.signalCode === null && existsSync(path)) {
    try {
      writeFileSync(path, String(constants.priority.PRIORITY_BELOW_NORMAL));
      return;
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") throw error;
      await delay(sessionPriorityRetryMs * (0.5 + Math.random()), undefined, { ref: false });
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** On Linux each thread has a priority of its own, which those that it starts take over; elsewhere the process has one. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

/** Resident memory in bytes; 0 where the system does not tell. */
function rssOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
