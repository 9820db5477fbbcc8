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

/** Whether a warning says only how the file looks, so that nothing about the report is amiss. */
export function isNote({ code }: Report["warnings"][number]): boolean {
  return code === "TEXTS_SHORTENED";
}

/** Where a report, or a further file of one, stands; of one that runs how far it is, of one with warnings that it has them. */
export function ReportState(props: { readonly report: Pick<Report, "status" | "warnings" | "progress"> }) {
  const { status, progress } = props.report;
  const warnings = props.report.warnings.filter((warning) => !isNote(warning));
  if (status === "RUNNING")
    return (
      <span class="state progress">
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

const phases: Readonly<Record<string, string>> = {
  waiting: "waiting",
  querying: "reading rows",
  rendering: "writing the file",
  storing: "storing the file",
};

/** How far a report is: a bar where that is known, what is being done, and how many rows that has been done to. */
function Progress({ progress }: Pick<Report, "progress">) {
  const { percent, phase, rowsDone } = progress;
  const texts = [
    ...(percent === null ? [] : [`${percent} %`]),
    phases[phase] ?? phase,
    ...(rowsDone === 0 ? [] : [`${countText(rowsDone)} ${rowsDone === 1 ? "row" : "rows"}`]),
  ];
  return (
    <>
      {percent !== null && <progress max={100} value={percent} aria-label="Progress" />}
      <span class="muted small">{texts.join(" · ")}</span>
    </>
  );
}
