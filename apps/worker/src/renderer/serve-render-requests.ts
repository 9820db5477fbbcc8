import type { Render, RenderProgress } from "@reports/core/report";
import type { ReportTypesError } from "@reports/type-loader";
import { createIsolatedReportRunner } from "./report-scope.ts";
import {
  serialiseError,
  type MessageFromRenderer,
  type TimedRenderProgress,
  type RendererSettings,
  type MessageToRenderer,
} from "./protocol.ts";

const progressDelayMs = 100;

export type ComposeRenderResult =
  | { readonly ok: true; readonly render: Render }
  | { readonly ok: false; readonly problems: ReportTypesError["problems"]; readonly isHostFailure: boolean };

/** Makes one file at a time for the worker that started this process, and ends with that worker. Sends `ready` after `compose`. */
export function serveRenderRequests(compose: (settings: RendererSettings) => Promise<ComposeRenderResult>): void {
  let render: Render | null = null;
  let running: AbortController | null = null;
  const runReport = createIsolatedReportRunner();

  const handle = async (message: MessageToRenderer): Promise<void> => {
    switch (message.kind) {
      case "configure": {
        const composed = await compose(message.settings);
        if (composed.ok) render = composed.render;
        if (composed.ok) sendToWorker({ kind: "ready" });
        else sendToWorker({ kind: "unusable", problems: composed.problems, isHostFailure: composed.isHostFailure });
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
        const { onProgress, end } = createProgressSender();
        try {
          const result = await runReport(async () => renderOne(message.request, { signal, onProgress }));
          running = null;
          sendToWorker({ kind: "done", result, ...end() });
        } catch (error) {
          running = null;
          sendToWorker({ kind: "failed", error: serialiseError(error), ...end() });
        }
      }
    }
  };

  process.on("message", (message: MessageToRenderer) => void handle(message));
  // When the worker ends, this process must end too, because its query would continue.
  process.on("disconnect", () => process.exit(0));
  // Ctrl-C signals every process of the terminal, but only the worker may end a renderer.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => undefined);
}

/** Delays progress messages, because each costs processor time in two processes. A small report ends before its first message is due. */
function createProgressSender(): {
  onProgress(progress: RenderProgress): void;
  end(): Pick<MessageFromRenderer & { kind: "done" }, "steps" | "rssBytes">;
} {
  let steps: TimedRenderProgress[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const takeSteps = (): readonly TimedRenderProgress[] => {
    const taken = steps;
    clearTimeout(timer);
    timer = undefined;
    steps = [];
    return taken;
  };
  return {
    onProgress(progress) {
      // Progress that arrives after the end would count for the next report.
      if (isOver) return;
      steps.push({ progress, atMs: Date.now() });
      timer ??= setTimeout(() => sendToWorker({ kind: "progress", steps: takeSteps() }), progressDelayMs);
    },
    end() {
      isOver = true;
      return { steps: takeSteps(), rssBytes: process.memoryUsage.rss() };
    },
  };
}

function sendToWorker(message: MessageFromRenderer): void {
  // Without this callback, a message to a dead worker throws an uncaught exception. The disconnect event ends this process anyway.
  process.send?.(message, undefined, {}, () => undefined);
}
