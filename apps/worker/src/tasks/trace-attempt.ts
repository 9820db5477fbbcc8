import { createHash } from "node:crypto";
import type { RenderProgress, Report, RunDeps, RunOutcome } from "@reports/core/report";
import type { Span, Tracer } from "@reports/runtime";

export interface AttemptTrace {
  readonly deps: RunDeps;
  end(outcome: RunOutcome | { readonly kind: "thrown"; readonly error: unknown }): void;
}

/**
 * Records an attempt as a trace of its own, with spans for the rendering and for each stored file. The trace links to the request that started the
 * report (`startedBy`, its `traceparent`) and to the previous attempt. A single trace would stay open while a report waits for hours.
 */
export function traceAttempt(deps: RunDeps, traces: Tracer, startedBy: string | null): AttemptTrace {
  let attempt: Span | null = null;
  const within = async <Result>(name: string, work: (span: Span) => Promise<Result>): Promise<Result> => {
    const span = traces.begin(name, { kind: "internal", parent: attempt?.traceparent ?? null });
    try {
      return await work(span);
    } catch (error) {
      span.fail(errorName(error));
      throw error;
    } finally {
      span.end();
    }
  };
  return {
    deps: {
      ...deps,
      reports: {
        ...deps.reports,
        async claim(id, options) {
          const claim = await deps.reports.claim(id, options);
          if (claim.kind === "claimed") attempt = beginAttempt(traces, claim.report, startedBy);
          return claim;
        },
      },
      render: async (request, context) =>
        within("render", async (span) => {
          let phase: RenderProgress["phase"] | null = null;
          const result = await deps.render(request, {
            signal: context.signal,
            onProgress(progress, atMs) {
              if (progress.phase !== phase) span.event(progress.phase, { rowsTotal: progress.rowsTotal }, atMs);
              phase = progress.phase;
              context.onProgress(progress, atMs);
            },
          });
          span.set({ "report.rows": result.rowCount, "report.bytes": result.sizeBytes });
          return result;
        }),
      files: {
        ...deps.files,
        put: async (file) =>
          within("store file", async (span) => {
            span.set({ "report.bytes": file.sizeBytes });
            return deps.files.put(file);
          }),
      },
    },
    end(outcome) {
      if (attempt === null) return;
      attempt.set({ "report.outcome": outcome.kind });
      if (outcome.kind === "failed") attempt.fail(outcome.report.error?.code ?? "INTERNAL");
      if (outcome.kind === "requeued") attempt.fail(errorName(outcome.cause));
      if (outcome.kind === "thrown") attempt.fail(errorName(outcome.error));
      attempt.end();
    },
  };
}

function beginAttempt(traces: Tracer, report: Report, startedBy: string | null): Span {
  const before = report.attempt > 1 ? [deriveAttemptTraceparent(report.id, report.attempt - 1)] : [];
  return traces.begin("report attempt", {
    kind: "consumer",
    traceparent: deriveAttemptTraceparent(report.id, report.attempt),
    links: [...(startedBy === null ? [] : [startedBy]), ...before],
    attributes: {
      "report.id": report.id,
      "report.type": report.reportType,
      "report.format": report.options.format,
      "report.attempt": report.attempt,
    },
  });
}

/** Derives the `traceparent` of an attempt from its number, so that the next attempt can link to it without stored state. */
export function deriveAttemptTraceparent(reportId: string, attempt: number): string {
  const hex = createHash("sha256").update(`${reportId} ${attempt}`).digest("hex");
  return `00-${hex.slice(0, 32)}-${hex.slice(32, 48)}-01`;
}

/** Returns only the name of an error, because its message may contain search values of callers. */
function errorName(error: unknown): string {
  return error instanceof Error ? error.name : "Error";
}
