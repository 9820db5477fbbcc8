import type { Report } from "@reports/client";
import { QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Renditions } from "./renditions.tsx";
import { ReportActions } from "./report-actions.tsx";
import { isUnfinished, ReportState } from "./report-state.tsx";
import type { PageProps } from "../shell/page-props.ts";
import { navigate, buildHref } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { findReportType, findStartableType } from "../shell/session.ts";
import { buildStartDraftQuery } from "../start/draft.ts";
import { ReportFacts } from "./report-facts.tsx";
import { ReportFileSection } from "./report-file.tsx";
import { ReportProgressCard } from "./report-progress.tsx";
import { ReportOutcome } from "./report-outcome.tsx";
import { toRepeatedStart } from "./repeated-start.ts";
import { Timeline } from "./timeline.tsx";
import { useReportActivity } from "./use-report-activity.ts";

export function ReportPage({ id }: PageProps) {
  const result = useQuery(`report ${id}`, async (gateway, options) => gateway.reports.get(id, options));
  return (
    <>
      {result.value === null && <PageHead eyebrow="Report" title="Report" />}
      <QueryContent result={result}>
        {(report) => <ReportDetails report={report} reload={result.reload} />}
      </QueryContent>
    </>
  );
}

function ReportDetails({ report: read, reload }: { readonly report: Report; readonly reload: () => void }) {
  const activity = useReportActivity(read, reload);
  const progress = isUnfinished(read) && activity.progress !== null ? activity.progress : read.progress;
  const report: Report = { ...read, progress };
  const type = findReportType(report.reportType);
  const startable = findStartableType(report.reportType);
  return (
    <>
      <PageHead
        eyebrow={type?.title ?? report.reportType}
        title={report.title}
        lead={<ReportState report={report} hidesProgress />}
      >
        {startable !== undefined && (
          <a class="button quiet" href={buildHref("new", buildStartDraftQuery(toRepeatedStart(report)))}>
            Change and run
          </a>
        )}
        <ReportActions
          report={report}
          downloads={false}
          onChange={reload}
          onRemoved={() => navigate(buildHref("reports"))}
        />
      </PageHead>
      <ReportOutcome report={report} />
      <div class="two">
        <div>
          {report.status === "RUNNING" && <ReportProgressCard progress={report.progress} />}
          <ReportFileSection report={report} />
          {report.status === "SUCCEEDED" && report.options.keepRows && <Renditions report={report} type={startable} />}
          <ReportFacts report={report} type={type} />
        </div>
        <Timeline events={activity.events} report={report} />
      </div>
    </>
  );
}
