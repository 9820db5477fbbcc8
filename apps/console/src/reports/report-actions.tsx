import type { Report } from "@reports/client";
import { useState } from "preact/hooks";
import { Confirm } from "../parts/dialog.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { may, session, startableTypes } from "../shell/session.ts";
import { attempt, say } from "../shell/toasts.tsx";
import { downloadFile } from "./download.ts";
import { isOpen } from "./report-state.tsx";

/** What can be done with a report, as far as whoever is signed in may do it. */
export function ReportActions(props: {
  readonly report: Report;
  /** Called when the report has changed. */
  readonly onChange: () => void;
  /** Called when the report is no more. */
  readonly onRemoved: () => void;
}) {
  const { report, onChange, onRemoved } = props;
  const [isAsking, ask] = useState(false);
  const gateway = session.value!.gateway;
  const mayChange = report.requestedBy === session.value!.id || may(REPORTS_ADMIN);
  const mayStart = startableTypes.value.some(({ reportType }) => reportType === report.reportType);
  const label = (word: string) => ({ "aria-label": `${word}: ${report.title}` });

  const cancel = (): Promise<boolean> =>
    attempt(async () => {
      await gateway.reports.cancel(report.id);
      say("The report is cancelled.");
      onChange();
    });
  const again = (): Promise<boolean> =>
    attempt(async () => {
      const { reportType, format, searchParam, options, title } = report;
      await gateway.reports.start({ reportType, format, searchParam, title, ...options });
      say("The report is started again.");
      onChange();
    });
  const remove = async (): Promise<void> => {
    const isDone = await attempt(async () => gateway.reports.remove(report.id));
    if (!isDone) return;
    say("The report is deleted.");
    onRemoved();
  };

  return (
    <>
      {report.file !== null && (
        <button type="button" class="quiet strong" {...label("Download")} onClick={() => void downloadFile(report)}>
          Download
        </button>
      )}
      {isOpen(report) && mayChange && (
        <button type="button" class="quiet" {...label("Cancel")} onClick={() => void cancel()}>
          Cancel
        </button>
      )}
      {!isOpen(report) && mayStart && (
        <button type="button" class="quiet" {...label("Run again")} onClick={() => void again()}>
          Run again
        </button>
      )}
      {mayChange && (
        <button type="button" class="quiet danger" {...label("Delete")} onClick={() => ask(true)}>
          Delete
        </button>
      )}
      {isAsking && (
        <Confirm
          title="Delete this report?"
          text={`“${report.title}” and its file are removed for everybody. This cannot be undone.`}
          button="Delete"
          onConfirm={remove}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
}
