import type { ReportSchedule } from "@reports/client";
import { shortTimeText, zoneOrUtc, viewerZone } from "../parts/time-text.ts";

/** The next five runs, in the zone of the schedule, or in UTC if the browser does not know that zone. Adds the zone of the user if it differs. */
export function NextRuns({ schedule }: { readonly schedule: ReportSchedule }) {
  const { nextFires, timezone, status } = schedule;
  const zone = zoneOrUtc(timezone);
  const showsOwn = zone !== viewerZone;
  return (
    <section aria-labelledby="next">
      <h2 id="next">Next times</h2>
      {nextFires.length === 0 ? (
        <p class="muted">{status === "PAUSED" ? "None until it is resumed." : "None: the schedule has ended."}</p>
      ) : (
        <table class="times">
          <thead>
            <tr>
              <th scope="col">{zoneText(zone)}</th>
              {showsOwn && <th scope="col">Yours: {zoneText(viewerZone)}</th>}
            </tr>
          </thead>
          <tbody>
            {nextFires.map((at) => (
              <tr key={at}>
                <td>
                  <time dateTime={at}>{shortTimeText(at, zone)}</time>
                </td>
                {showsOwn && (
                  <td class="muted">
                    <time dateTime={at}>{shortTimeText(at, viewerZone)}</time>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function zoneText(zone: string): string {
  return zone.replaceAll("_", " ");
}
