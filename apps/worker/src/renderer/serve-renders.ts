import type { Render, RenderProgress } from "@reports/core/report";
import type { ReportTypesError } from "@reports/type-loader";
import { createReportScope } from "./report-scope.ts";
import { packError, type FromRenderer, type ProgressStep, type RendererSettings, type ToRenderer } from "./protocol.ts";

/** How long progress may wait for more progress. */
const progressDelayMs = 100;

/** A renderer, or why its report types cannot be loaded. */
export type ComposedRenderer =
  | { readonly ok: true; readonly render: Render }
  | { readonly ok: false; readonly problems: ReportTypesError["problems"]; readonly isHostFailure: boolean };

/** Makes one file at a time and ends with the parent process. Ready when `compose` has built the renderer. */
export function serveRenders(compose: (settings: RendererSettings) => Promise<ComposedRenderer>): void {
  let render: Render | null = null;
  let running: AbortController | null = null;
  const runReport = createReportScope();

  const handle = async (message: ToRenderer): Promise<void> => {
    switch (message.kind) {
      case "configure": {
        const composed = await compose(message.settings);
        if (composed.ok) render = composed.render;
        if (composed.ok) send({ kind: "ready" });
        else send({ kind: "unusable", problems: composed.problems, isHostFailure: composed.isHostFailure });
        return;
      }
      case "abort":
        running?.abort(new Error("The report was stopped."));
        return;
      case "render": {
        if (render === null || running !== null)
          throw new Error("A renderer is configured first and takes one report at a time.");
        const { signal } = (running = new AbortController());
        const renderOne = render;
        const { onProgress, end } = createProgressLine();
        try {
          const result = await runReport(async () => renderOne(message.request, { signal, onProgress }));
          running = null;
          send({ kind: "done", result, ...end() });
        } catch (error) {
          running = null;
          send({ kind: "failed", error: packError(error), ...end() });
        }
      }
    }
  };

  process.on("message", (message: ToRenderer) => void handle(message));
  // The worker is gone: the query must not outlive it.
  process.on("disconnect", () => process.exit(0));
  // Ctrl-C reaches the whole group; only the worker ends a renderer.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => undefined);
}

/** Delays progress: a small report is done by then, and a message costs both sides. */
function createProgressLine(): {
  onProgress(progress: RenderProgress): void;
  end(): Pick<FromRenderer & { kind: "done" }, "steps" | "rssBytes">;
} {
  let steps: ProgressStep[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const takeSteps = (): readonly ProgressStep[] => {
    const taken = steps;
    clearTimeout(timer);
    timer = undefined;
    steps = [];
    return taken;
  };
  return {
    onProgress(progress) {
      // Progress of a finished report must not count for the next one.
      if (isOver) return;
      steps.push({ progress, atMs: Date.now() });
      timer ??= setTimeout(() => send({ kind: "progress", steps: takeSteps() }), progressDelayMs);
    },
    end() {
      isOver = true;
      return { steps: takeSteps(), rssBytes: process.memoryUsage.rss() };
    },
  };
}

function send(message: FromRenderer): void {
  // Without a callback, sending to a dead parent is an uncaught exception. The disconnect ends the process anyway.
  process.send?.(message, undefined, {}, () => undefined);
}
