import { PermanentReportError } from "@reports/core/base";
import {
  type RenderProgress,
  type RenderRequest,
  reportFormats,
  type ReportTypeDefinition,
} from "@reports/core/report";

const progressIntervalMs = 1000;

export interface RowLimiter {
  /** Records the total number of rows. Throws REPORT_TOO_LARGE if it exceeds `maxRows`, as `onBuffered` and `onRows` do for their number. */
  readonly onTotal: (rowsTotal: number) => void;
  readonly onBuffered: (rowsBuffered: number) => void;
  readonly onRows: (rowsDone: number) => void;
  rowsDone(): number;
}

/** Limits rows to `request.maxRows`, and reports progress at most once per second. The progress never goes backwards. */
export function createRowLimiter(input: {
  readonly request: Pick<RenderRequest, "maxRows" | "options">;
  readonly definition: ReportTypeDefinition;
  readonly onProgress: (progress: RenderProgress) => void;
  readonly nowMs: () => number;
}): RowLimiter {
  const { request, definition, onProgress, nowMs } = input;
  let rowsTotal: number | null = null;
  let rowsDone = 0;
  let reportedAtMs = nowMs();
  return {
    onTotal(total) {
      if (total > request.maxRows) throw tooLargeError(request, definition, total);
      if (total === rowsTotal) return;
      rowsTotal = total;
      onProgress({ phase: "querying", rowsDone, rowsTotal });
    },
    onBuffered(rowsBuffered) {
      if (rowsBuffered > request.maxRows) throw tooLargeError(request, definition, rowsTotal);
    },
    onRows(count) {
      // The count and the rows can differ, if the source does not read both from one database snapshot.
      const isMore = rowsTotal !== null && count > rowsTotal;
      if (count > request.maxRows) throw tooLargeError(request, definition, isMore ? null : rowsTotal);
      if (isMore) rowsTotal = count;
      rowsDone = Math.max(rowsDone, count);
      const atMs = nowMs();
      if (atMs - reportedAtMs < progressIntervalMs) return;
      reportedAtMs = atMs;
      onProgress({ phase: "rendering", rowsDone, rowsTotal });
    },
    rowsDone: () => rowsDone,
  };
}

function tooLargeError(
  request: Pick<RenderRequest, "maxRows" | "options">,
  definition: ReportTypeDefinition,
  rowsTotal: number | null,
): PermanentReportError {
  const { format } = request.options;
  const needed = rowsTotal ?? request.maxRows + 1;
  const fitting = reportFormats.filter(
    (candidate) => candidate !== format && (definition.formats[candidate]?.maxRows ?? 0) >= needed,
  );
  const size = rowsTotal === null ? `more than ${formatCount(request.maxRows)}` : formatCount(rowsTotal);
  const advice = fitting.length > 0 ? `Ask for ${fitting.join(" or ")}, or narrow its filters.` : "Narrow its filters.";
  return new PermanentReportError(
    "REPORT_TOO_LARGE",
    `The report has ${size} rows, and ${format} holds at most ${formatCount(request.maxRows)}. ${advice}`,
  );
}

function formatCount(rows: number): string {
  return rows.toLocaleString("en");
}
