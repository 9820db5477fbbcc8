import type { ReportSchedule } from "@reports/client";
import { Empty, Shown } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Time } from "../parts/time.tsx";
import { Who } from "../parts/who.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { firstPage } from "../shell/first-page.ts";
import { hrefOf } from "../shell/place.ts";
import { useRemote } from "../shell/remote.ts";
import { may, startableTypes } from "../shell/session.ts";
import { cronText } from "./cron.ts";
import { ScheduleActions } from "./schedule-actions.tsx";
import { FireOutcome, ScheduleState } from "./schedule-state.tsx";
import { directionOf } from "../parts/direction.ts";

/** The page shows this many: a principal has at most 50. */
const most = 200;
const againMs = 10_000;

/** The caller's own schedules, for administrators everybody's. */
export function SchedulesPage() {
  const remote = useRemote(
    "schedules",
    async (gateway, signal) => (await firstPage(gateway.schedules.list({ limit: most }, { signal }))).items,
    () => againMs,
  );
  return (
    <>
      <PageHead
        eyebrow="Schedules"
        title={may(REPORTS_ADMIN) ? "All schedules" : "My schedules"}
        lead="Reports that start at set times."
      >
        {startableTypes.value.length > 0 && (
          <a class="button primary" href={hrefOf("new")}>
            New schedule
          </a>
        )}
      </PageHead>
      <Shown remote={remote}>
        {(schedules) =>
          schedules.length === 0 ? (
            <Empty title="No schedules yet">
              <p>Set up a report as if to start it once, then choose “Schedule this” instead.</p>
            </Empty>
          ) : (
            <ScheduleRows schedules={schedules} onChange={remote.reload} />
          )
        }
      </Shown>
    </>
  );
}

function ScheduleRows(props: { readonly schedules: readonly ReportSchedule[]; readonly onChange: () => void }) {
  const showsWho = may(REPORTS_ADMIN);
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col">When</th>
          <th scope="col">Next</th>
          <th scope="col">Last</th>
          {showsWho && <th scope="col">Owner</th>}
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.schedules.map((schedule) => (
          <tr key={schedule.id}>
            <td class="main">
              <a href={hrefOf(`schedules/${schedule.id}`)} dir={directionOf(schedule.name)} data-row>
                {schedule.name}
              </a>
            </td>
            <td>
              <ScheduleState schedule={schedule} />
            </td>
            <td>
              {cronText(schedule.cron)} <span class="muted small">{schedule.timezone}</span>
            </td>
            <td class="muted">
              {schedule.status === "ACTIVE" && schedule.nextFireAt !== null && <Time at={schedule.nextFireAt} />}
            </td>
            <td class="aside">{schedule.lastFire !== null && <FireOutcome fire={schedule.lastFire} />}</td>
            {showsWho && (
              <td class="aside">
                <Who id={schedule.owner} />
              </td>
            )}
            <td class="acts">
              <ScheduleActions schedule={schedule} onChange={props.onChange} onRemoved={props.onChange} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
