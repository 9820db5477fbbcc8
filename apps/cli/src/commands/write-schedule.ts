import {
  scheduleFields,
  scheduleFieldTexts,
  type Patch,
  type ReportSchedule,
  type ReportScheduleInput,
} from "@reports/client";
import type { Command } from "commander";
import { usageError } from "../command-error.ts";
import type { CommandContext } from "../command-context.ts";
import { rethrowWithFlagNames } from "../describe-error.ts";
import {
  toFieldValues,
  createOptionsByField,
  toFlagNamesByField,
  type OptionsByField,
} from "../input/options-by-field.ts";
import { parseInstantFlag } from "../input/parse-instant-flag.ts";
import type { FilterValues } from "../input/time-filters.ts";
import { createResetOption, toFieldsByFlagName, toResetPatch } from "../input/patch-flags.ts";
import { createRepeatedOption } from "../input/repeated-option.ts";
import { startFlags, type StartFlagValues } from "../input/start-flags.ts";
import { readStartInputWithTimeWords, parseWhereFlags, translateFilterTimeWords } from "../input/start-input.ts";

interface EditOptions extends StartFlagValues {
  readonly zone?: string;
  /** Fields that `--reset` returns to their defaults. */
  readonly reset?: readonly string[];
}

type SchedulePatch = Patch<ReportSchedule>;

// The report type is an argument of `create`. The commands `pause` and `resume` change the status.
const { reportType: _, status: _2, ...fields } = scheduleFields;

const exceptions = {
  names: { timezone: "zone" },
  refusesOthers: true,
  texts: {
    name: "name for people",
    cron: "minute, hour, day of the month, month, day of the week: '30 6 * * 1-5'",
    timezone: "IANA time zone of the pattern; UTC by default",
    startsAt: "no runs before this time: 1.1.2027, in 30 days or 2027-01-01T00:00:00Z",
    endsAt: "no runs after this time",
    missed: "what to do about missed times",
    missedWithinSeconds: "how late a missed time may still be started, such as 30m",
    overlap: "what to do if the previous report is still running",
  },
};
const scheduleFlags = createOptionsByField(fields, scheduleFieldTexts, exceptions);
const editFlags = createOptionsByField(fields, scheduleFieldTexts, { ...exceptions, isPatch: true });

/** The flag of each field of a schedule, for error messages. */
export const scheduleFlagNames = { ...toFlagNamesByField(scheduleFlags), searchParam: "--where", options: "options" };

const { name: _3, cron: _4, ...resettableFlags } = toFlagNamesByField(editFlags);
/** Distinguishes an option of the reports from a field of the schedule with the same name, such as `timezone`. */
const optionPrefix = "options.";
const optionFlags: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(toFlagNamesByField(startFlags)).map(([field, flag]) => [`${optionPrefix}${field}`, flag] as const),
);
const resettable = toFieldsByFlagName({ ...resettableFlags, ...optionFlags, searchParam: "--where" });

export function addCreateScheduleCommand(
  schedules: Command,
  context: CommandContext,
  make: (input: ReportScheduleInput, command: Command) => Promise<void>,
): void {
  const create = schedules
    .command("create")
    .description("create a schedule and show its next times")
    .argument("<type>", "report type, one of `types`");
  addFlags(create, scheduleFlags, "rows to show; times may be relative: createdFrom=yesterday");
  create.action(async (type: string, _: unknown, command: Command) =>
    rethrowWithFlagNames(scheduleFlagNames, async () =>
      make(await readScheduleInput(context, type, command.optsWithGlobals()), command),
    ),
  );
}

async function readScheduleInput(
  context: CommandContext,
  type: string,
  flags: StartFlagValues,
): Promise<ReportScheduleInput> {
  const fields = toFieldValues(scheduleFlags, flags);
  const zone = fields["timezone"] ?? "UTC";
  const { reportType, searchParam, ...options } = await readStartInputWithTimeWords(
    context,
    type,
    flags,
    zone as string,
  );
  // commander has already refused a command line without the flags of required fields.
  const given = readTimes(fields, zone) as unknown as Pick<ReportScheduleInput, "name" | "cron">;
  return { ...given, reportType, searchParam: searchParam ?? undefined, options };
}

export function addEditScheduleCommand(
  edit: Command,
  context: CommandContext,
  change: (
    given: string,
    patchOf: (stored: ReportSchedule) => Promise<SchedulePatch>,
    command: Command,
  ) => Promise<void>,
): void {
  addFlags(edit, editFlags, "filters to set; other filters stay, unless --reset where removes them");
  edit.addOption(createResetOption(resettable));
  edit.action(async (given: string, _: unknown, command: Command) => {
    const flags = command.optsWithGlobals<EditOptions>();
    // Refuses wrong flags before the schedule is read.
    readSchedulePatch({ searchParam: {}, timezone: "UTC" }, flags, parseWhereFlags(flags.where).searchParam);
    const patchOf = async (stored: ReportSchedule): Promise<SchedulePatch> => {
      const { searchParam = {} } = parseWhereFlags(flags.where);
      const zone = flags.zone ?? stored.timezone;
      const filters = await translateFilterTimeWords(context, stored.reportType, searchParam, zone);
      return readSchedulePatch(stored, flags, filters);
    };
    await rethrowWithFlagNames(scheduleFlagNames, async () => change(given, patchOf, command));
  });
}

/** Returns a merge patch of the schedule: the given flags, and null for each field of --reset. Throws a CommandError if there is neither. */
export function readSchedulePatch(
  stored: Pick<ReportSchedule, "searchParam" | "timezone">,
  flags: EditOptions,
  searchParam: FilterValues = {},
): SchedulePatch {
  const reset = flags.reset ?? [];
  const resetOptions = reset.filter((field) => field.startsWith(optionPrefix));
  const options = {
    ...toResetPatch(resetOptions.map((field) => field.slice(optionPrefix.length))),
    ...toFieldValues(startFlags, flags),
  };
  const filters = {
    ...(reset.includes("searchParam") ? toResetPatch(Object.keys(stored.searchParam)) : {}),
    ...searchParam,
  };
  const patch = {
    ...toResetPatch(reset.filter((field) => field in editFlags)),
    ...readTimes(toFieldValues(editFlags, flags), flags.zone ?? stored.timezone),
    ...(Object.keys(filters).length === 0 ? {} : { searchParam: filters }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
  if (Object.keys(patch).length === 0 && reset.length === 0)
    throw usageError("There is nothing to change. Give a flag with its new value, or --reset.");
  // The client's type of a patch does not allow null for a single filter, but the API does.
  return patch as SchedulePatch;
}

/** Translates `startsAt` and `endsAt` from words such as `in 30 days`. */
function readTimes(fields: Readonly<Record<string, unknown>>, timezone: unknown): Readonly<Record<string, unknown>> {
  const zone = typeof timezone === "string" ? timezone : "UTC";
  const times = (["startsAt", "endsAt"] as const).flatMap((field) => {
    const value = fields[field];
    return typeof value === "string"
      ? [[field, parseInstantFlag(scheduleFlags[field].long!, value, zone)] as const]
      : [];
  });
  return { ...fields, ...Object.fromEntries(times) };
}

function addFlags(command: Command, flags: OptionsByField<string>, where: string): void {
  for (const flag of Object.values(flags)) command.addOption(flag);
  command.addOption(createRepeatedOption("--where <filter=value>", where));
  for (const flag of Object.values(startFlags)) command.addOption(flag);
}
