import type { ReportSchedule } from "@reports/client";

const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The next five times, in the schedule's zone and in the viewer's where that is another. */
export function NextFires({ schedule }: { readonly schedule: ReportSchedule }) {
  const { nextFires, timezone, status } = schedule;
  const showsOwn = timezone !== viewerZone;
  return (
    <section aria-labelledby="next">
      <h2 id="next">Next times</h2>
      {status === "PAUSED" && <p class="hint">Were it active: while it is paused it starts nothing.</p>}
      {nextFires.length === 0 ? (
        <p class="muted">None: it is over.</p>
      ) : (
        <table class="rows plain">
          <thead>
            <tr>
              <th scope="col">{timezone}</th>
              {showsOwn && <th scope="col">Where you are</th>}
            </tr>
          </thead>
          <tbody>
            {nextFires.map((at) => (
              <tr key={at}>
                <td>
                  <time dateTime={at}>{textIn(at, timezone)}</time>
                </td>
                {showsOwn && <td class="muted">{textIn(at, viewerZone)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function textIn(at: string, timeZone: string): string {
  const format = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat("en-GB", { ...format, timeZone }).format(new Date(at));
}
