import type { Report } from "@reports/client";
import { ActionButton, useCooldown } from "../parts/action-button.tsx";
import { RemoveButton } from "../parts/remove-button.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { navigate, buildHref } from "../shell/route.ts";
import { hasAuthority, findStartableType, session } from "../shell/session.ts";
import { showToast } from "../shell/toasts.tsx";
import { downloadFile } from "./download.ts";
import { isUnfinished } from "./report-state.tsx";
import { toRepeatedStart } from "./repeated-start.ts";

export function ReportActions(props: {
  readonly report: Report;
  readonly downloads?: boolean;
  readonly onChange: () => void;
  readonly onRemoved: () => void;
}) {
  const { report, downloads = true, onChange, onRemoved } = props;
  const { reports } = session.value!.gateway;
  const mayChange = report.requestedBy === session.value!.id || hasAuthority(REPORTS_ADMIN);
  const mayStart = findStartableType(report.reportType) !== undefined;
  const { id, file, title } = report;
  const isCoolingDown = useCooldown(String(isUnfinished(report)));
  return (
    <>
      {downloads && file !== null && (
        <ActionButton
          key="download"
          label="Download"
          recordName={title}
          isPrimary
          act={async () => downloadFile(report, file)}
        />
      )}
      {isUnfinished(report) && mayChange && (
        <ActionButton
          key="cancel"
          label="Cancel"
          recordName={title}
          act={async () => {
            await reports.cancel(id);
            showToast("Report cancelled.");
            onChange();
          }}
        />
      )}
      {!isUnfinished(report) && mayStart && (
        <ActionButton
          key="again"
          label="Run again"
          recordName={title}
          isCoolingDown={isCoolingDown}
          act={async (options) => {
            const started = await reports.start(toRepeatedStart(report), options);
            navigate(buildHref(`reports/${started.id}`));
          }}
        />
      )}
      {mayChange && (
        <RemoveButton
          key="delete"
          recordName={title}
          title="Delete this report?"
          text={`“${title}” and its files are deleted for everybody. This cannot be undone.`}
          done="Report deleted."
          act={async () => reports.remove(id)}
          onRemoved={onRemoved}
        />
      )}
    </>
  );
}
