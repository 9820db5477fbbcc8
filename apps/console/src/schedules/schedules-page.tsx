import type { ReportSchedule } from "@reports/client";
import { formatFilters } from "../parts/filter-description.ts";
import { formatRelativeTime, browserTimeZone, formatTimeZone } from "../parts/time-text.ts";
import { EmptyState, QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { createOwnerColumn, Rows, type Column } from "../parts/rows.tsx";
import { Time } from "../parts/time.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { readFirstPage } from "../shell/first-page.ts";
import { buildHref } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { findReportType, listStartableTypes, hasAuthority } from "../shell/session.ts";
import { describeCron } from "./cron.ts";
import { toScheduledStart } from "./schedule-draft.ts";
import { ScheduleActions } from "./schedule-actions.tsx";
import { RunOutcome, ScheduleState } from "./schedule-state.tsx";
import { toDirAttribute } from "../parts/direction.ts";

/** The page shows at most this many schedules. A principal can have at most 50 of its own. */
const maxListed = 200;
const pollMs = 10_000;

export function SchedulesPage() {
  const result = useQuery(
    "schedules",
    async (gateway, options) => (await readFirstPage(gateway.schedules.list({ limit: maxListed }, options))).items,
    () => pollMs,
  );
  return (
    <>
      <PageHead
        eyebrow="Schedules"
        title={hasAuthority(REPORTS_ADMIN) ? "All schedules" : "My schedules"}
        lead="Reports that start at set times."
      >
        {listStartableTypes().length > 0 && (
          <a class="button primary" href={buildHref("new", { for: "new" })}>
            New schedule
          </a>
        )}
      </PageHead>
      <QueryContent result={result}>
        {(schedules) =>
          schedules.length === 0 ? (
            <EmptyState title="No schedules yet">
              <p>A schedule starts a report at set times.</p>
            </EmptyState>
          ) : (
            <Rows items={schedules} columns={createColumns(result.reload)} />
          )
        }
      </QueryContent>
    </>
  );
}

function createColumns(onChange: () => void): readonly (Column<ReportSchedule> | false)[] {
  return [
    {
      title: "Name",
      class: "main",
      cell: ({ id, name }) => (
        <a href={buildHref(`schedules/${id}`)} dir={toDirAttribute(name)} data-row>
          {name}
        </a>
      ),
    },
    { title: "State", cell: (schedule) => <ScheduleState schedule={schedule} /> },
    {
      title: "When",
      cell: ({ cron, timezone }) => (
        <>
          {describeCron(cron)}{" "}
          {timezone !== browserTimeZone && <span class="muted small">{formatTimeZone(timezone)}</span>}
        </>
      ),
    },
    {
      title: "Report",
      cell: (schedule) => {
        const type = findReportType(schedule.reportType);
        const filters = formatFilters(schedule.searchParam, type, schedule.timezone);
        return (
          <>
            {type?.title ?? schedule.reportType}, {toScheduledStart(schedule).format ?? type?.formats[0]?.format}
            {filters !== "" && (
              <span class="muted small under" dir={toDirAttribute(filters)}>
                {filters}
              </span>
            )}
          </>
        );
      },
    },
    {
      title: "Next",
      class: "muted",
      cell: ({ status, nextFireAt }) => status === "ACTIVE" && nextFireAt !== null && <Time at={nextFireAt} />,
    },
    {
      title: "Last",
      cell: ({ lastFire }) =>
        lastFire !== null && (
          <>
            <RunOutcome run={lastFire} />
            <span class="muted small cause">{formatRelativeTime(lastFire.scheduledFor, Date.now())}</span>
          </>
        ),
    },
    createOwnerColumn(),
    {
      title: "Actions",
      class: "acts",
      cell: (schedule) => <ScheduleActions schedule={schedule} onChange={onChange} onRemoved={onChange} />,
    },
  ];
}
