import { HostFailureError, RendererCrashError, ShutdownError } from "@reports/core/base";
import type { Render } from "@reports/core/report";
import { ConfigurationError } from "@reports/runtime";
import { startOrphanedRendererGuard, type OrphanedRendererGuard } from "./orphaned-renderer-guard.ts";
import { startRendererProcess, type RendererProcess, type RendererProcessOptions } from "./renderer-process.ts";

export interface RendererPoolOptions extends RendererProcessOptions {
  readonly size: number;
  readonly recycleRssBytes: number;
  /** Called once, when two processes in a row can't load their report types. The pool then starts no more processes and requeues reports. */
  readonly onUnusable: (error: ConfigurationError) => void;
}

export interface RendererPool {
  readonly render: Render;
  /** Starts all processes. Resolves when they are ready. Rejects with ConfigurationError if they can't load their report types. */
  start(): Promise<void>;
  prove(): Promise<void>;
  close(): void;
}

/** Makes a pool of renderer processes that are started before they are needed. A crash or an endless loop ends only one attempt. */
export function createRendererPool(options: RendererPoolOptions): RendererPool {
  const idle: RendererProcess[] = [];
  const all = new Set<RendererProcess>();
  let guard: OrphanedRendererGuard | null = null;
  let closed = false;
  let unusable: ConfigurationError | null = null;
  /**
   * Whether the process that started last failed to load its report types. The pool tolerates one such failure, because an operator may be
   * replacing the package.
   */
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
  const release = (renderer: RendererProcess): void => {
    const mustReplace = !renderer.isAlive() || renderer.rssBytes() > options.recycleRssBytes;
    const isLast = closed || unusable !== null;
    if (mustReplace || isLast) retire(renderer);
    if (isLast) return;
    if (!mustReplace) return void idle.push(renderer);
    try {
      idle.push(spawn());
    } catch (error) {
      // A failure is only logged, because the report already has its result. The next report starts a process itself, or fails.
      options.logger.warn("a renderer process could not be replaced", { error });
    }
  };

  /** Waits for a process that was started later than the pool to become ready. If it fails to start, kills and removes it. */
  const untilReady = async (renderer: RendererProcess): Promise<void> =>
    renderer.ready.catch((error: unknown) => {
      retire(renderer);
      if (!(error instanceof ConfigurationError)) throw notStartedError(error);
      loadFailed = true;
      if (!startedAfterFailure.has(renderer)) throw notStartedError(error);
      if (unusable === null) options.onUnusable(error);
      unusable = error;
      throw requeueError(error);
    });

  return {
    async start() {
      guard = startOrphanedRendererGuard(options.logger);
      const renderers = Array.from({ length: options.size }, spawn);
      await Promise.all(renderers.map((renderer) => renderer.ready));
      idle.push(...renderers);
    },
    async render(request, context) {
      if (closed) throw new RendererCrashError("RENDERER_CRASHED", "The renderer processes are stopped.");
      if (unusable !== null) throw requeueError(unusable);
      const renderer = takeIdle();
      await untilReady(renderer);
      try {
        return await renderer.render(request, context);
      } finally {
        release(renderer);
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

/** The report is requeued without a failure, because the report types of this worker are the cause, and another worker may have them. */
function requeueError(error: ConfigurationError): ShutdownError {
  return new ShutdownError("Renderer processes can no longer load their report types.", { cause: error });
}

function startOrFail(options: RendererProcessOptions): RendererProcess {
  try {
    return startRendererProcess(options);
  } catch (error) {
    throw notStartedError(error);
  }
}

/** Blames the host, which is out of memory, processes or file descriptors, or has lost a file of this program. */
function notStartedError(cause: unknown): HostFailureError {
  return new HostFailureError("renderers", "A renderer process could not be started.", cause);
}
