import type { Report } from "@reports/client";
import { State, type Tone } from "../parts/state.tsx";
import { formatCountedNoun, toSentenceCase } from "../parts/text.ts";

const toneByStatus: Readonly<Record<string, Tone>> = {
  QUEUED: "muted",
  RUNNING: "live",
  SUCCEEDED: "good",
  FAILED: "bad",
  CANCELLED: "muted",
  EXPIRED: "muted",
  DELETED: "muted",
};

export function isUnfinished({ status }: Pick<Report, "status">): boolean {
  return status === "QUEUED" || status === "RUNNING";
}

export function statusTone(status: string): Tone {
  return toneByStatus[status] ?? "muted";
}

export function isLayoutNote({ code }: Report["warnings"][number]): boolean {
  return code === "TEXTS_SHORTENED";
}

export function ReportState(props: {
  readonly report: Pick<Report, "status" | "warnings" | "progress">;
  readonly hidesProgress?: boolean;
}) {
  const { status, progress } = props.report;
  const warnings = props.report.warnings.filter((warning) => !isLayoutNote(warning));
  if (status === "RUNNING")
    return (
      <span class="state progress">
        <State tone="live">Running</State>
        {props.hidesProgress !== true && <Progress progress={progress} />}
      </span>
    );
  if (status === "SUCCEEDED" && warnings.length > 0)
    return (
      <State tone="warn">
        Succeeded, {warnings.length} {warnings.length === 1 ? "warning" : "warnings"}
      </State>
    );
  return <State tone={statusTone(status)}>{toSentenceCase(status)}</State>;
}

const phaseTexts: Readonly<Record<string, string>> = {
  waiting: "waiting",
  querying: "reading rows",
  rendering: "writing the file",
  storing: "storing the file",
};

export function describeProgress({ percent, phase, rowsDone }: Report["progress"]): readonly string[] {
  return [
    ...(percent === null ? [] : [`${percent} %`]),
    phaseTexts[phase] ?? phase,
    ...(rowsDone === 0 ? [] : [formatCountedNoun(rowsDone, "row")]),
  ];
}

function Progress({ progress }: Pick<Report, "progress">) {
  const { percent } = progress;
  return (
    <>
      {percent !== null && <progress max={100} value={percent} aria-label="Progress" />}
      <span class="muted small">{describeProgress(progress).join(" · ")}</span>
    </>
  );
}
