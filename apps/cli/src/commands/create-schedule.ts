import { scheduleFields, scheduleFieldTexts, type ReportScheduleInput } from "@reports/client";
import type { Command } from "commander";
import { nameFlags } from "../describe-error.ts";
import { readFields, makeFlags, namesOf } from "../input/field-flags.ts";
import { createRepeatedOption } from "../input/repeated-option.ts";
import { startFlags, type StartFlagValues } from "../input/start-flags.ts";
import { readStartInput } from "../input/start-input.ts";

interface CreateOptions extends StartFlagValues {
  readonly where?: readonly string[];
}

// The report type is an argument. The commands `pause` and `resume` change the status.
const { reportType: _, status: _2, ...fields } = scheduleFields;

const scheduleFlags = makeFlags(fields, scheduleFieldTexts, {
  names: { timezone: "zone" },
  refusesOthers: true,
  texts: {
    name: "name for people",
    cron: "minute, hour, day of the month, month, day of the week: '30 6 * * 1-5'",
    timezone: "IANA time zone of the pattern; UTC by default",
    startsAt: "no runs before this time: 2027-01-01T00:00:00Z",
    endsAt: "no runs after this time",
    missed: "what to do about missed times",
    missedWithinSeconds: "how late a missed time may still be started, such as 30m",
    overlap: "what to do if the previous report is still running",
  },
});

export function addCreateSchedule(
  schedules: Command,
  make: (input: ReportScheduleInput, command: Command) => Promise<void>,
): void {
  const create = schedules
    .command("create")
    .description("create a schedule and show its next times")
    .argument("<type>", "report type, one of `types`");
  for (const flag of Object.values(scheduleFlags)) create.addOption(flag);
  create.addOption(
    createRepeatedOption("--where <filter=value>", "rows to show; times may be relative: createdFrom=today-P1D"),
  );
  for (const flag of Object.values(startFlags)) create.addOption(flag);
  create.action(async (type: string, _: unknown, command: Command) =>
    nameFlags(namesOf(scheduleFlags), async () => make(readScheduleInput(type, command.optsWithGlobals()), command)),
  );
}

function readScheduleInput(type: string, flags: CreateOptions): ReportScheduleInput {
  const { reportType, searchParam, ...options } = readStartInput(type, flags);
  // commander has checked that the flags of required fields are given.
  const given = readFields(scheduleFlags, flags) as unknown as Pick<ReportScheduleInput, "name" | "cron">;
  return { ...given, reportType, searchParam: searchParam ?? undefined, options };
}
