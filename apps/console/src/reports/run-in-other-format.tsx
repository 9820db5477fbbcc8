import type { Report } from "@reports/client";
import { ActionButton } from "../parts/action-button.tsx";
import { navigate, buildHref } from "../shell/route.ts";
import { findStartableType, session } from "../shell/session.ts";
import { findFormatForMoreRows } from "../start/format-advice.ts";
import { toRepeatedStart } from "./repeated-start.ts";

export function RunInOtherFormat({ report }: { readonly report: Report }) {
  const type = findStartableType(report.reportType);
  if (type === undefined || report.error?.code !== "REPORT_TOO_LARGE") return null;
  const format = findFormatForMoreRows(type.formats, report.format, report.rowCount);
  if (format === undefined) return null;
  return (
    <ActionButton
      label={`Run as ${format}`}
      recordName={report.title}
      isAccent
      act={async (options) => {
        const { id } = await session.value!.gateway.reports.start({ ...toRepeatedStart(report), format }, options);
        navigate(buildHref(`reports/${id}`));
      }}
    />
  );
}
