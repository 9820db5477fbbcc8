import type { Report } from "@reports/client";
import { countText } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import { Who } from "../parts/who.tsx";
import { hrefOf } from "../shell/place.ts";
import { session } from "../shell/session.ts";
import { ReportActions } from "./report-actions.tsx";
import { ReportState } from "./report-state.tsx";
import { directionOf } from "../parts/direction.ts";

export function ReportRows(props: {
  readonly reports: readonly Report[];
  readonly showsWho: boolean;
  readonly onChange: () => void;
}) {
  const { reports, showsWho, onChange } = props;
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">Title</th>
          <th scope="col">State</th>
          <th scope="col">Format</th>
          <th scope="col" class="number">
            Rows
          </th>
          {showsWho && <th scope="col">Requested by</th>}
          <th scope="col">Requested</th>
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {reports.map((report) => (
          <tr key={report.id}>
            <td class="main">
              <a href={hrefOf(`reports/${report.id}`)} dir={directionOf(report.title)} data-row>
                {report.title}
              </a>
              {report.title !== typeTitle(report) && <span class="muted small type">{typeTitle(report)}</span>}
            </td>
            <td>
              <ReportState report={report} />
            </td>
            <td class="short">{report.format}</td>
            <td class="number" data-name={report.rowCount === 1 ? "row" : "rows"}>
              {report.rowCount === null ? "" : countText(report.rowCount)}
            </td>
            {showsWho && (
              <td class="aside">
                <Who id={report.requestedBy} />
              </td>
            )}
            <td class="muted">
              <Time at={report.createdAt} />
            </td>
            <td class="acts">
              <ReportActions report={report} onChange={onChange} onRemoved={onChange} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function typeTitle({ reportType }: Report): string {
  return session.value?.reportTypes.find((type) => type.reportType === reportType)?.title ?? reportType;
}
