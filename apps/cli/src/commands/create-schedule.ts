import type { ReportScheduleInput } from "@reports/client";
import { Option, type Command } from "commander";
import { atFlags } from "../describe-error.ts";
import { parseDuration } from "../input/duration.ts";
import { repeatedOption } from "../input/repeated-option.ts";
import { startFlags, type StartFlagValues } from "../input/start-flags.ts";
import { readStartInput } from "../input/start-input.ts";

interface CreateOptions extends StartFlagValues {
  readonly where?: readonly string[];
  readonly name: string;
  readonly cron: string;
  readonly zone: string;
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly missed?: "LATEST" | "SKIP";
  readonly missedWithin?: number;
  readonly overlap?: "SKIP" | "ALLOW";
}

/** By the fields of a schedule. */
const scheduleFlags = {
  name: "--name",
  cron: "--cron",
  timezone: "--zone",
  startsAt: "--starts-at",
  endsAt: "--ends-at",
  missed: "--missed",
  missedWithinSeconds: "--missed-within",
  overlap: "--overlap",
} as const;

/** `create TYPE`, whose schedule is made by `make`. */
export function addCreateSchedule(
  schedules: Command,
  make: (input: ReportScheduleInput, command: Command) => Promise<void>,
): void {
  const create = schedules
    .command("create")
    .description("make a schedule, and tell its next times")
    .argument("<type>", "report type, one of `types`")
    .requiredOption("--name <text>", "what it is called")
    .requiredOption("--cron <pattern>", "minute, hour, day of the month, month, day of the week: '30 6 * * 1-5'")
    .option("--zone <zone>", "IANA time zone on whose clocks it fires", "UTC")
    .option("--starts-at <time>", "before which it does not fire: 2027-01-01T00:00:00Z")
    .option("--ends-at <time>", "after which it does not fire")
    .addOption(new Option("--missed <policy>", "what becomes of missed times").choices(["LATEST", "SKIP"]))
    .option(
      "--missed-within <time>",
      "how late a missed time may still be started, such as 30m; 1h by default",
      parseDuration,
    )
    .addOption(
      new Option("--overlap <policy>", "what becomes of times while a report is unfinished").choices(["SKIP", "ALLOW"]),
    )
    .addOption(repeatedOption("--where <filter=value>", "rows to show; times may be relative: createdFrom=today-P1D"));
  for (const flag of Object.values(startFlags)) create.addOption(flag);
  create.action(async (type: string, _: unknown, command: Command) =>
    atFlags(scheduleFlags, async () => make(readScheduleInput(type, command.optsWithGlobals()), command)),
  );
}

function readScheduleInput(type: string, flags: CreateOptions): ReportScheduleInput {
  const { name, cron, zone, startsAt, endsAt, missed, missedWithin, overlap } = flags;
  const { reportType, searchParam, ...options } = readStartInput(type, flags);
  return {
    name,
    reportType,
    cron,
    timezone: zone,
    startsAt,
    endsAt,
    missed,
    missedWithinSeconds: missedWithin === undefined ? undefined : Math.floor(missedWithin / 1000),
    overlap,
    searchParam: searchParam ?? undefined,
    options,
  };
}
