import type { Report } from "@reports/client";
import { useState } from "preact/hooks";
import { Confirm } from "../parts/dialog.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { go, hrefOf } from "../shell/place.ts";
import { may, session, startableTypes } from "../shell/session.ts";
import { attempt, say } from "../shell/toasts.tsx";
import { downloadFile } from "./download.ts";
import { startOf } from "./start-of.ts";
import { isOpen } from "./report-state.tsx";

/** What can be done with a report, as far as whoever is signed in may do it. */
export function ReportActions(props: {
  readonly report: Report;
  /** Whether the file is downloaded here, too; not where it stands beside it. */
  readonly downloads?: boolean;
  /** Called when the report has changed. */
  readonly onChange: () => void;
  /** Called when the report is no more. */
  readonly onRemoved: () => void;
}) {
  const { report, downloads = true, onChange, onRemoved } = props;
  const [isAsking, ask] = useState(false);
  const gateway = session.value!.gateway;
  const mayChange = report.requestedBy === session.value!.id || may(REPORTS_ADMIN);
  const mayStart = startableTypes.value.some(({ reportType }) => reportType === report.reportType);
  const { file } = report;
  const label = (word: string) => ({ "aria-label": `${word}: ${report.title}` });

  const cancel = (): Promise<boolean> =>
    attempt(async () => {
      await gateway.reports.cancel(report.id);
      say("The report is cancelled.");
      onChange();
    });
  const again = (): Promise<boolean> =>
    attempt(async () => {
      const started = await gateway.reports.start(startOf(report));
      go(hrefOf(`reports/${started.id}`));
    });
  const remove = async (): Promise<void> => {
    const isDone = await attempt(async () => gateway.reports.remove(report.id));
    if (!isDone) return;
    say("The report is deleted.");
    onRemoved();
  };

  return (
    <>
      {downloads && file !== null && (
        <button
          type="button"
          class="quiet strong"
          {...label("Download")}
          onClick={() => void downloadFile(report, file)}
        >
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
          text={`“${report.title}” and its files are removed for everybody. This cannot be undone.`}
          button="Delete"
          onConfirm={remove}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
}
