import { HostFailureError, RendererCrashError, ShutdownError } from "@reports/core/base";
import type { Render } from "@reports/core/report";
import { ConfigurationError } from "@reports/runtime";
import { startRendererGuard, type RendererGuard } from "./renderer-guard.ts";
import { startRendererProcess, type RendererProcess, type RendererProcessOptions } from "./renderer-process.ts";

/** How many renderer processes there are, and when one is replaced. */
export interface RendererPoolOptions extends RendererProcessOptions {
  /** One for every report that runs at once. */
  readonly size: number;
  /** A process that has grown past this after its report is replaced by a fresh one. */
  readonly recycleRssBytes: number;
  /** Called once, when two processes in a row cannot load their report types: no further one is started, and reports are requeued. */
  readonly onUnusable: (error: ConfigurationError) => void;
}

/** A warm pool of renderer processes. */
export interface RendererPool {
  readonly render: Render;
  /** Resolves when every process is ready; rejects with ConfigurationError when they cannot load their report types. */
  start(): Promise<void>;
  /** Starts one more process and ends it again; rejects if it does not become ready. */
  prove(): Promise<void>;
  /** Kills them all; a report that still runs rejects. */
  close(): void;
}

/**
 * Keeps `size` renderer processes warm, so that a small report costs no process start; a crash, an endless loop or a full heap
 * ends one attempt and one process, not the worker.
 */
export function createRendererPool(options: RendererPoolOptions): RendererPool {
  const idle: RendererProcess[] = [];
  const all = new Set<RendererProcess>();
  let guard: RendererGuard | null = null;
  let closed = false;
  let unusable: ConfigurationError | null = null;
  /** Whether the last process that was started could not load its report types. Its package may just be replaced. */
  let loadFailed = false;
  const startedAfterFailure = new WeakSet<RendererProcess>();

  const watchAll = (): void => guard?.watch([...all].flatMap(({ pid }) => pid ?? []));
  const spawn = (): RendererProcess => {
    const renderer = startOrFail(options);
    all.add(renderer);
    watchAll();
    if (loadFailed) startedAfterFailure.add(renderer);
    renderer.ready.then(
      () => (loadFailed = false),
      () => undefined,
    );
    return renderer;
  };
  const forget = (renderer: RendererProcess): void => {
    all.delete(renderer);
    watchAll();
  };
  const retire = (renderer: RendererProcess): void => {
    renderer.kill();
    forget(renderer);
  };
  const takeIdle = (): RendererProcess => {
    for (let renderer = idle.pop(); renderer !== undefined; renderer = idle.pop()) {
      if (renderer.isAlive()) return renderer;
      forget(renderer);
    }
    return spawn();
  };
  const giveBack = (renderer: RendererProcess): void => {
    const isSpent = !renderer.isAlive() || renderer.rssBytes() > options.recycleRssBytes;
    const isLast = closed || unusable !== null;
    if (isSpent || isLast) retire(renderer);
    if (isLast) return;
    if (!isSpent) return void idle.push(renderer);
    try {
      idle.push(spawn());
    } catch (error) {
      // The report has its result. The next report starts its own process, or fails if it cannot.
      options.logger.warn("a renderer process could not be replaced", { error });
    }
  };

  /** Waits until a process that was started later can render, and ends one that cannot. */
  const untilReady = async (renderer: RendererProcess): Promise<void> =>
    renderer.ready.catch((error: unknown) => {
      retire(renderer);
      if (!(error instanceof ConfigurationError)) throw notStarted(error);
      loadFailed = true;
      if (!startedAfterFailure.has(renderer)) throw notStarted(error);
      if (unusable === null) options.onUnusable(error);
      unusable = error;
      throw handedBack(error);
    });

  return {
    async start() {
      guard = startRendererGuard(options.logger);
      const renderers = Array.from({ length: options.size }, spawn);
      await Promise.all(renderers.map((renderer) => renderer.ready));
      idle.push(...renderers);
    },
    async render(request, context) {
      if (closed) throw new RendererCrashError("RENDERER_CRASHED", "The renderer processes are stopped.");
      if (unusable !== null) throw handedBack(unusable);
      const renderer = takeIdle();
      await untilReady(renderer);
      try {
        return await renderer.render(request, context);
      } finally {
        giveBack(renderer);
      }
    },
    async prove() {
      const renderer = spawn();
      try {
        await untilReady(renderer);
      } finally {
        retire(renderer);
      }
    },
    close() {
      closed = true;
      for (const renderer of all) retire(renderer);
      guard?.close();
    },
  };
}

/** The report is not to blame, and another worker may make it. */
function handedBack(error: ConfigurationError): ShutdownError {
  return new ShutdownError("Renderer processes can no longer load their report types.", { cause: error });
}

function startOrFail(options: RendererProcessOptions): RendererProcess {
  try {
    return startRendererProcess(options);
  } catch (error) {
    throw notStarted(error);
  }
}

/** The host has no memory, process or file descriptor left, or lacks a file of this program. */
function notStarted(cause: unknown): HostFailureError {
  return new HostFailureError("renderers", "A renderer process could not be started.", cause);
}
