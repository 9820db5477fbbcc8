import type { Report } from "@reports/client";
import { Deed, useHeld } from "../parts/deed.tsx";
import { Removal } from "../parts/removal.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { go, hrefOf } from "../shell/place.ts";
import { may, session, startableTypes } from "../shell/session.ts";
import { say } from "../shell/toasts.tsx";
import { downloadFile } from "./download.ts";
import { isOpen } from "./report-state.tsx";
import { startOf } from "./start-of.ts";

export function ReportActions(props: {
  readonly report: Report;
  /** Whether it also downloads the file; not if another button does. */
  readonly downloads?: boolean;
  readonly onChange: () => void;
  readonly onRemoved: () => void;
}) {
  const { report, downloads = true, onChange, onRemoved } = props;
  const { reports } = session.value!.gateway;
  const mayChange = report.requestedBy === session.value!.id || may(REPORTS_ADMIN);
  const mayStart = startableTypes.value.some(({ reportType }) => reportType === report.reportType);
  const { id, file, title: of } = report;
  const isHeld = useHeld(String(isOpen(report)));
  return (
    <>
      {downloads && file !== null && (
        <Deed key="download" word="Download" of={of} isFirst act={async () => downloadFile(report, file)} />
      )}
      {isOpen(report) && mayChange && (
        <Deed
          key="cancel"
          word="Cancel"
          of={of}
          act={async () => {
            await reports.cancel(id);
            say("Report cancelled.");
            onChange();
          }}
        />
      )}
      {!isOpen(report) && mayStart && (
        <Deed
          key="again"
          word="Run again"
          of={of}
          isHeld={isHeld}
          act={async () => go(hrefOf(`reports/${(await reports.start(startOf(report))).id}`))}
        />
      )}
      {mayChange && (
        <Removal
          key="delete"
          of={of}
          title="Delete this report?"
          text={`“${of}” and its files are deleted for everybody. This cannot be undone.`}
          done="Report deleted."
          act={async () => reports.remove(id)}
          onRemoved={onRemoved}
        />
      )}
    </>
  );
}
