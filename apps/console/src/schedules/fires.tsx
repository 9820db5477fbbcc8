import type { ReportSchedule, ReportScheduleFire } from "@reports/client";
import { Shown } from "../parts/notices.tsx";
import { Rows, type Column } from "../parts/rows.tsx";
import { Time } from "../parts/time.tsx";
import { firstPage } from "../shell/first-page.ts";
import { hrefOf } from "../shell/route.ts";
import { useRemote } from "../shell/remote.ts";
import { FireOutcome } from "./schedule-state.tsx";

const shown = 50;
const againMs = 5_000;

const columns: readonly Column<ReportScheduleFire>[] = [
  { title: "Time", cell: ({ scheduledFor }) => <Time at={scheduledFor} exact /> },
  { title: "Outcome", cell: (fire) => <FireOutcome fire={fire} /> },
  {
    title: "Report",
    class: "acts",
    cell: ({ reportId }) =>
      reportId !== null && (
        <a class="button quiet strong" href={hrefOf(`reports/${reportId}`)} data-row>
          Report
        </a>
      ),
  },
];

export function Fires({ schedule }: { readonly schedule: ReportSchedule }) {
  const remote = useRemote(
    `fires ${schedule.id}`,
    async (gateway, signal) =>
      (await firstPage(gateway.schedules.fires(schedule.id, { limit: shown }, { signal }))).items,
    () => againMs,
  );
  return (
    <section aria-labelledby="fires">
      <h2 id="fires">History</h2>
      <Shown remote={remote}>
        {(fires) =>
          fires.length === 0 ? (
            <p class="muted">It has not started anything yet.</p>
          ) : (
            <Rows items={fires} columns={columns} />
          )
        }
      </Shown>
    </section>
  );
}
