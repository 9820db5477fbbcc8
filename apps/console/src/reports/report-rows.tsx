import type { Report } from "@reports/client";
import { Rows, type Column } from "../parts/rows.tsx";
import { countText } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import { PrincipalName } from "../parts/principal-name.tsx";
import { buildHref } from "../shell/route.ts";
import { session } from "../shell/session.ts";
import { ReportActions } from "./report-actions.tsx";
import { ReportState } from "./report-state.tsx";
import { directionOf } from "../parts/direction.ts";

export function ReportRows(props: {
  readonly reports: readonly Report[];
  readonly showsRequester: boolean;
  readonly onChange: () => void;
}) {
  const { reports, showsRequester, onChange } = props;
  const columns: readonly (Column<Report> | false)[] = [
    {
      title: "Title",
      class: "main",
      cell: (report) => (
        <>
          <a href={buildHref(`reports/${report.id}`)} dir={directionOf(report.title)} data-row>
            {report.title}
          </a>
          {report.title !== reportTypeTitle(report) && <span class="muted small type">{reportTypeTitle(report)}</span>}
        </>
      ),
    },
    { title: "State", cell: (report) => <ReportState report={report} /> },
    { title: "Format", class: "short", cell: ({ format }) => format },
    {
      title: "Rows",
      class: "number",
      unit: ({ rowCount }) => (rowCount === 1 ? "row" : "rows"),
      cell: ({ rowCount }) => rowCount !== null && countText(rowCount),
    },
    showsRequester && {
      title: "Requested by",
      class: "aside",
      cell: ({ requestedBy }) => <PrincipalName id={requestedBy} />,
    },
    { title: "Requested", class: "muted", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: "Actions",
      class: "acts",
      cell: (report) => <ReportActions report={report} onChange={onChange} onRemoved={onChange} />,
    },
  ];
  return <Rows items={reports} columns={columns} />;
}

function reportTypeTitle({ reportType }: Report): string {
  return session.value?.reportTypes.find((type) => type.reportType === reportType)?.title ?? reportType;
}
