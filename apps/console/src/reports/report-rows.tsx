import type { Report } from "@reports/client";
import { Rows, type Column } from "../parts/rows.tsx";
import { formatCount } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import { PrincipalName } from "../parts/format-principal-name.tsx";
import { buildHref } from "../shell/route.ts";
import { findReportType } from "../shell/session.ts";
import { ReportActions } from "./report-actions.tsx";
import { ReportState } from "./report-state.tsx";
import { toDirAttribute } from "../parts/direction.ts";
import { formatFilters } from "../parts/filter-description.ts";
import { readFirstPage } from "../shell/first-page.ts";
import { useQuery } from "../shell/use-query.ts";

const maxSchedules = 200;

export function ReportRows(props: {
  readonly reports: readonly Report[];
  readonly showsRequester: boolean;
  readonly onChange: () => void;
}) {
  const { reports, showsRequester, onChange } = props;
  const schedules = useScheduleNames(reports);
  const columns: readonly (Column<Report> | false)[] = [
    {
      title: "Title",
      class: "main",
      cell: (report) => (
        <>
          <a href={buildHref(`reports/${report.id}`)} dir={toDirAttribute(report.title)} data-row>
            {report.title}
          </a>
          <Origin report={report} schedules={schedules} />
        </>
      ),
    },
    { title: "State", cell: (report) => <ReportState report={report} /> },
    { title: "Format", class: "short", cell: ({ format }) => format },
    {
      title: "Rows",
      class: "number",
      unit: ({ rowCount }) => (rowCount === 1 ? "row" : "rows"),
      cell: ({ rowCount }) => rowCount !== null && formatCount(rowCount),
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

function Origin(props: { readonly report: Report; readonly schedules: ReadonlyMap<string, string> }) {
  const { report, schedules } = props;
  const { reportType, title, searchParamGiven, options, scheduleId } = report;
  const type = findReportType(reportType);
  const typeTitle = type?.title ?? reportType;
  const filters = formatFilters(searchParamGiven, type, options.timezone);
  const words = [...(title === typeTitle ? [] : [typeTitle]), ...(filters === "" ? [] : [filters])];
  const schedule = scheduleId === null ? undefined : schedules.get(scheduleId);
  if (words.length === 0 && scheduleId === null) return null;
  return (
    <span class="muted small origin">
      <bdi>{words.join(" · ")}</bdi>
      {scheduleId !== null && (
        <>
          {words.length > 0 && " · "}
          {schedule === undefined ? "By a schedule" : <a href={buildHref(`schedules/${scheduleId}`)}>{schedule}</a>}
        </>
      )}
    </span>
  );
}

function useScheduleNames(reports: readonly Report[]): ReadonlyMap<string, string> {
  const isNeeded = reports.some(({ scheduleId }) => scheduleId !== null);
  const result = useQuery(`schedules ${isNeeded}`, async (gateway, options) =>
    isNeeded ? readFirstPage(gateway.schedules.list({ limit: maxSchedules }, options)) : null,
  );
  return new Map(result.value?.items.map(({ id, name }) => [id, name]));
}
