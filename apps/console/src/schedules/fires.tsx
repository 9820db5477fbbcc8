import type { ReportSchedule } from "@reports/client";
import { Shown } from "../parts/notices.tsx";
import { Time } from "../parts/time.tsx";
import { firstPage } from "../shell/first-page.ts";
import { hrefOf } from "../shell/place.ts";
import { useRemote } from "../shell/remote.ts";
import { FireOutcome } from "./schedule-state.tsx";

const shown = 50;
const againMs = 5_000;

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
            <table class="rows">
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Outcome</th>
                  <th scope="col">
                    <span class="unseen">Report</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {fires.map((fire) => (
                  <tr key={fire.id}>
                    <td>
                      <Time at={fire.scheduledFor} exact />
                    </td>
                    <td>
                      <FireOutcome fire={fire} />
                    </td>
                    <td class="acts">
                      {fire.reportId !== null && (
                        <a class="button quiet strong" href={hrefOf(`reports/${fire.reportId}`)} data-row>
                          Report
                        </a>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
    </section>
  );
}
