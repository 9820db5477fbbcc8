import type { ReportSchedule } from "@reports/client";

const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The next five times, in the schedule's zone and in the viewer's where that is another. */
export function NextFires({ schedule }: { readonly schedule: ReportSchedule }) {
  const { nextFires, timezone, status } = schedule;
  const showsOwn = timezone !== viewerZone;
  return (
    <section aria-labelledby="next">
      <h2 id="next">Next times</h2>
      {nextFires.length === 0 ? (
        <p class="muted">{status === "PAUSED" ? "None until it is resumed." : "None: the schedule has ended."}</p>
      ) : (
        <table class="times">
          <thead>
            <tr>
              <th scope="col">{zoneText(timezone)}</th>
              {showsOwn && <th scope="col">Yours: {zoneText(viewerZone)}</th>}
            </tr>
          </thead>
          <tbody>
            {nextFires.map((at) => (
              <tr key={at}>
                <td>
                  <time dateTime={at}>{textIn(at, timezone)}</time>
                </td>
                {showsOwn && (
                  <td class="muted">
                    <time dateTime={at}>{textIn(at, viewerZone)}</time>
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

function textIn(at: string, timeZone: string): string {
  const format = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat("en-GB", { ...format, timeZone }).format(new Date(at));
}
