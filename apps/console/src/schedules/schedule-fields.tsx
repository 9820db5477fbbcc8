import type { ReportScheduleInput } from "@reports/client";
import { Select, TextField, type Option } from "../parts/fields.tsx";
import { changeQuery } from "../shell/place.ts";
import { cronText, weekdays } from "./cron.ts";
import { whenOf } from "./schedule-draft.ts";

const rhythmOptions: readonly Option[] = [
  { value: "day", label: "Every day" },
  { value: "workday", label: "Monday to Friday" },
  { value: "week", label: "Every week" },
  { value: "month", label: "Every month" },
  { value: "cron", label: "As a cron pattern says" },
];
const dayOptions: readonly Option[] = [
  ...Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) })),
  { value: "L", label: "The last" },
];
const missedOptions: readonly Option[] = [
  { value: "LATEST", label: "Make up for the newest" },
  { value: "SKIP", label: "Skip it" },
];
const overlapOptions: readonly Option[] = [
  { value: "SKIP", label: "Skip this time" },
  { value: "ALLOW", label: "Start another, up to three" },
];

/** What a schedule is called, and when it fires. */
export function ScheduleFields(props: {
  readonly query: URLSearchParams;
  readonly input: ReportScheduleInput;
  readonly wrong: ReadonlyMap<string, string>;
}) {
  const { query, input, wrong } = props;
  const when = whenOf(query);
  const set = (name: string) => (value: string) => changeQuery({ [name]: [value] });
  return (
    <>
      <section aria-labelledby="name">
        <h2 id="name">What it is called</h2>
        <div class="search">
          <TextField label="Name" value={input.name} wrong={wrong.get("name")} onInput={set("name")} />
        </div>
      </section>
      <section aria-labelledby="when">
        <h2 id="when">When it starts</h2>
        <div class="grid">
          <Select label="How often" value={when.rhythm} options={rhythmOptions} onChange={set("rhythm")} />
          {when.rhythm === "week" && (
            <Select
              label="Day of the week"
              value={when.weekday}
              options={weekdays.map((label, day) => ({ value: String(day), label }))}
              onChange={set("weekday")}
            />
          )}
          {when.rhythm === "month" && (
            <Select label="Day of the month" value={when.day} options={dayOptions} onChange={set("day")} />
          )}
          {when.rhythm === "cron" ? (
            <TextField
              label="Pattern"
              value={when.cron}
              hint="Minute, hour, day of the month, month, day of the week"
              wrong={wrong.get("cron")}
              onInput={set("cron")}
            />
          ) : (
            <TextField label="Time" type="time" value={when.time} wrong={wrong.get("cron")} onInput={set("time")} />
          )}
          <TextField
            label="Time zone"
            value={input.timezone ?? ""}
            wrong={wrong.get("timezone")}
            onInput={set("zone")}
          />
        </div>
        <p class="muted spread">
          {cronText(input.cron)}, {input.timezone}
          <code>{input.cron}</code>
        </p>
      </section>
      <section aria-labelledby="way">
        <h2 id="way">What may be in the way</h2>
        <div class="grid">
          <Select
            label="If a time was missed"
            value={input.missed ?? "LATEST"}
            options={missedOptions}
            onChange={set("missed")}
          />
          <Select
            label="If its last report is still open"
            value={input.overlap ?? "SKIP"}
            options={overlapOptions}
            onChange={set("overlap")}
          />
        </div>
      </section>
    </>
  );
}
