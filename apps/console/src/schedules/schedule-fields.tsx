import { scheduleFields, type ReportScheduleInput } from "@reports/client";
import { Select, TextField, type Option } from "../parts/fields.tsx";
import { selectFieldLabel } from "../parts/field-values.ts";
import { DerivedFields } from "../parts/derived-fields.tsx";
import { changeRouteQuery } from "../shell/route.ts";
import { describeCron, weekdays } from "./cron.ts";
import { nonGenericScheduleFields, readCronChoices } from "./schedule-draft.ts";

export const patternLabel = "Pattern";
const rhythmOptions: readonly Option[] = [
  { value: "day", label: "Every day" },
  { value: "workday", label: "Monday to Friday" },
  { value: "week", label: "Every week" },
  { value: "month", label: "Every month" },
  { value: "cron", label: "By a cron pattern" },
];
const dayOptions: readonly Option[] = [
  ...Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) })),
  { value: "L", label: "Last" },
];
const missedOptions: readonly Option[] = [
  { value: "LATEST", label: "Make up for the latest one" },
  { value: "SKIP", label: "Skip it" },
];
const overlapOptions: readonly Option[] = [
  { value: "SKIP", label: "Skip this time" },
  { value: "ALLOW", label: "Start another one, up to three" },
];

export function ScheduleFields(props: {
  readonly query: URLSearchParams;
  readonly input: ReportScheduleInput;
  readonly errors: ReadonlyMap<string, string>;
}) {
  const { query, input, errors } = props;
  const choices = readCronChoices(query);
  const set = (name: string) => (value: string) => changeRouteQuery({ [name]: [value] });
  return (
    <>
      <section aria-labelledby="called">
        <h2 id="called">Schedule</h2>
        <div class="search">
          <TextField
            name="name"
            label={selectFieldLabel("name", scheduleFields.name)}
            value={input.name}
            error={errors.get("name")}
            onInput={set("name")}
          />
        </div>
      </section>
      <section aria-labelledby="when">
        <h2 id="when">When it starts</h2>
        <div class="grid">
          <Select label="How often" value={choices.rhythm} options={rhythmOptions} onChange={set("rhythm")} />
          {choices.rhythm === "week" && (
            <Select
              label="Day of the week"
              value={choices.weekday}
              options={weekdays.map((label, day) => ({ value: String(day), label }))}
              onChange={set("weekday")}
            />
          )}
          {choices.rhythm === "month" && (
            <Select label="Day of the month" value={choices.day} options={dayOptions} onChange={set("day")} />
          )}
          {choices.rhythm === "cron" ? (
            <TextField
              name="cron"
              label={patternLabel}
              value={choices.cron}
              hint="Minute, hour, day of the month, month, day of the week"
              error={errors.get("cron")}
              onInput={set("cron")}
            />
          ) : (
            <TextField
              name="cron"
              label={selectFieldLabel("cron", scheduleFields.cron)}
              type="time"
              value={choices.time}
              error={errors.get("cron")}
              onInput={set("time")}
            />
          )}
          <TextField
            name="timezone"
            label={selectFieldLabel("timezone", scheduleFields.timezone)}
            value={input.timezone ?? ""}
            error={errors.get("timezone")}
            onInput={set("zone")}
          />
        </div>
        <p class="muted spread">
          {describeCron(input.cron)}, {input.timezone}
          <code>{input.cron}</code>
        </p>
      </section>
      <section aria-labelledby="way">
        <h2 id="way">If something gets in the way</h2>
        <div class="grid">
          <Select
            label="If a time was missed"
            value={input.missed ?? "LATEST"}
            options={missedOptions}
            onChange={set("missed")}
          />
          <Select
            label="If its last report is unfinished"
            value={input.overlap ?? "SKIP"}
            options={overlapOptions}
            onChange={set("overlap")}
          />
        </div>
        <DerivedFields fields={scheduleFields} except={nonGenericScheduleFields} query={query} errors={errors} />
      </section>
    </>
  );
}
