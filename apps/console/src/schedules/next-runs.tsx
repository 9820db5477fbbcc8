import type { ReportSchedule, ReportScheduleInput } from "@reports/client";
import { useDebouncedText } from "../parts/use-debounced-text.ts";
import { useQuery } from "../shell/use-query.ts";
import { formatTimeWithoutYear, browserTimeZone, toSupportedTimeZone, formatTimeZone } from "../parts/time-text.ts";

export function NextRuns({ schedule: { nextFires, timezone, status } }: { readonly schedule: ReportSchedule }) {
  const none = status === "PAUSED" ? "None until it is resumed." : "None: the schedule has ended.";
  return <Runs times={nextFires} timezone={timezone} none={none} />;
}

export function DraftNextRuns({
  input: { cron, timezone, startsAt, endsAt },
}: {
  readonly input: ReportScheduleInput;
}) {
  const timing = useDebouncedText(JSON.stringify({ cron, timezone, startsAt, endsAt }));
  const { value } = useQuery(timing, async (gateway, options) =>
    gateway.schedules.times(JSON.parse(timing) as ReportScheduleInput, options),
  );
  return value && <Runs times={value} timezone={timezone ?? "UTC"} none="" />;
}

function Runs(props: { readonly times: readonly string[]; readonly timezone: string; readonly none: string }) {
  const { times } = props;
  const zone = toSupportedTimeZone(props.timezone);
  const showsOwn = zone !== browserTimeZone;
  return (
    <section aria-labelledby="next">
      <h2 id="next">Next times</h2>
      {times.length === 0 ? (
        <p class="muted">{props.none}</p>
      ) : (
        <table class="times">
          <thead>
            <tr>
              <th scope="col">{formatTimeZone(zone)}</th>
              {showsOwn && <th scope="col">Yours: {formatTimeZone(browserTimeZone)}</th>}
            </tr>
          </thead>
          <tbody>
            {times.map((at) => (
              <tr key={at}>
                <td>
                  <time dateTime={at}>{formatTimeWithoutYear(at, zone)}</time>
                </td>
                {showsOwn && (
                  <td class="muted">
                    <time dateTime={at}>{formatTimeWithoutYear(at, browserTimeZone)}</time>
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
