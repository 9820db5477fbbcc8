import type { ReportProgress } from "../lifecycle/report-record.ts";
import type { RenderProgress } from "./render.ts";

export const initialProgress: ReportProgress = { phase: "waiting", rowsDone: 0, rowsTotal: null, percent: null };

const phaseOrder = ["waiting", "querying", "rendering", "storing", "done"] as const;

export function advanceProgress(current: ReportProgress, seen: RenderProgress): ReportProgress {
  const phase = phaseOrder.indexOf(seen.phase) > phaseOrder.indexOf(current.phase) ? seen.phase : current.phase;
  const rowsDone = Math.max(current.rowsDone, seen.rowsDone);
  const rowsTotal = seen.rowsTotal ?? current.rowsTotal;
  const percent =
    rowsTotal === null
      ? current.percent
      : Math.max(current.percent ?? 0, Math.min(99, percentOf(rowsDone, rowsTotal, phase)));
  return { phase, rowsDone, rowsTotal, percent };
}

function percentOf(rowsDone: number, rowsTotal: number, phase: ReportProgress["phase"]): number {
  if (rowsTotal === 0) return phase === "storing" ? 99 : 0;
  return Math.floor((100 * rowsDone) / rowsTotal);
}
