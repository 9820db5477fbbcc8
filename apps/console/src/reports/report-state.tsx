import type { Report } from "@reports/client";
import { State, type Tone } from "../parts/state.tsx";
import { countText, wordOf } from "../parts/text.ts";

const tones: Readonly<Record<string, Tone>> = {
  QUEUED: "muted",
  RUNNING: "live",
  SUCCEEDED: "good",
  FAILED: "bad",
  CANCELLED: "muted",
  EXPIRED: "muted",
  DELETED: "muted",
};

/** Whether a report has not ended. */
export function isOpen({ status }: Pick<Report, "status">): boolean {
  return status === "QUEUED" || status === "RUNNING";
}

/** How good a state of a report is. */
export function toneOf(status: string): Tone {
  return tones[status] ?? "muted";
}

/** Where a report, or a further file of one, stands; of one that runs how far it is, of one with warnings that it has them. */
export function ReportState(props: { readonly report: Pick<Report, "status" | "warnings" | "progress"> }) {
  const { status, warnings, progress } = props.report;
  if (status === "RUNNING")
    return (
      <span class="state">
        <State tone="live">Running</State>
        <Progress progress={progress} />
      </span>
    );
  if (status === "SUCCEEDED" && warnings.length > 0)
    return (
      <State tone="warn">
        Succeeded, {warnings.length} {warnings.length === 1 ? "warning" : "warnings"}
      </State>
    );
  return <State tone={toneOf(status)}>{wordOf(status)}</State>;
}

/** How far a report is: a bar where that is known, the rows where it is not. */
export function Progress({ progress }: Pick<Report, "progress">) {
  const { percent, phase, rowsDone } = progress;
  if (percent === null)
    return <span class="muted small">{rowsDone === 0 ? phase : `${countText(rowsDone)} rows`}</span>;
  return (
    <>
      <progress max={100} value={percent} aria-label="Progress" />
      <span class="small">{percent} %</span>
    </>
  );
}
