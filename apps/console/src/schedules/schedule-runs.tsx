import type { ReportSchedule, ReportScheduleFire } from "@reports/client";
import { QueryContent } from "../parts/notices.tsx";
import { Rows, type Column } from "../parts/rows.tsx";
import { Time } from "../parts/time.tsx";
import { readFirstPage } from "../shell/first-page.ts";
import { buildHref } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { RunOutcome } from "./schedule-state.tsx";

const maxRuns = 50;
const pollMs = 5_000;

const runColumns: readonly Column<ReportScheduleFire>[] = [
  { title: "Time", cell: ({ scheduledFor }) => <Time at={scheduledFor} exact /> },
  { title: "Outcome", cell: (run) => <RunOutcome run={run} /> },
  {
    title: "Report",
    class: "acts",
    cell: ({ reportId }) =>
      reportId !== null && (
        <a class="button quiet strong" href={buildHref(`reports/${reportId}`)} data-row>
          Report
        </a>
      ),
  },
];

export function ScheduleRuns({ schedule }: { readonly schedule: ReportSchedule }) {
  const result = useQuery(
    `fires ${schedule.id}`,
    async (gateway, options) =>
      (await readFirstPage(gateway.schedules.fires(schedule.id, { limit: maxRuns }, options))).items,
    () => pollMs,
  );
  return (
    <section aria-labelledby="fires">
      <h2 id="fires">History</h2>
      <QueryContent result={result}>
        {(runs) =>
          runs.length === 0 ? (
            <p class="muted">It has not started anything yet.</p>
          ) : (
            <Rows items={runs} columns={runColumns} />
          )
        }
      </QueryContent>
    </section>
  );
}
