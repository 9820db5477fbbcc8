import type { ReportSchedule, ReportScheduleFire } from "@reports/client";
import { Option, type Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { atFlags } from "../describe-error.ts";
import { repeatedOption } from "../input/repeated-option.ts";
import { startFlags, type StartFlagValues } from "../input/start-flags.ts";
import { readStartInput } from "../input/start-input.ts";
import type { TableColumn } from "../output/format-table.ts";

interface CreateOptions extends StartFlagValues {
  readonly where?: readonly string[];
  readonly name: string;
  readonly cron: string;
  readonly zone: string;
  readonly missed?: "LATEST" | "SKIP";
  readonly overlap?: "SKIP" | "ALLOW";
  readonly json?: boolean;
}

const scheduleColumns: readonly TableColumn<ReportSchedule>[] = [
  { heading: "ID", text: ({ id }) => id },
  { heading: "NAME", text: ({ name }) => name, wrapsTo: 14 },
  { heading: "TYPE", text: ({ reportType }) => reportType, spare: 3 },
  { heading: "CRON", text: ({ cron }) => cron, spare: 2 },
  { heading: "ZONE", text: ({ timezone }) => timezone, spare: 4 },
  {
    heading: "STATUS",
    text: ({ status, pausedBecause }) => (pausedBecause === null ? status : `${status} ${pausedBecause.code}`),
  },
  { heading: "NEXT", text: ({ nextFireAt }) => nextFireAt ?? "", spare: 1 },
];

const fireColumns: readonly TableColumn<ReportScheduleFire>[] = [
  { heading: "SCHEDULED FOR", text: ({ scheduledFor }) => scheduledFor },
  { heading: "OUTCOME", text: ({ outcome, count }) => (count === 1 ? outcome : `${outcome} × ${count}`) },
  { heading: "BECAUSE", text: ({ because }) => because ?? "", wrapsTo: 12 },
  { heading: "REPORT", text: ({ reportId }) => reportId ?? "" },
];

const scheduleFlags = {
  name: "--name",
  cron: "--cron",
  timezone: "--zone",
  missed: "--missed",
  overlap: "--overlap",
} as const;

/** `schedules …`: what starts reports by itself. */
export function addScheduleCommands(program: Command, context: CommandContext): void {
  const signal = AbortSignal.any([context.interrupted, context.impatience]);
  const schedules = program
    .command("schedules")
    .description("make and follow schedules, which start reports by themselves");
  const ofOne = (name: string, description: string): Command =>
    schedules.command(name).description(description).argument("<id>", "id of the schedule");
  const api = () => context.gateway().schedules;
  const show = async (found: readonly ReportSchedule[] | AsyncIterable<ReportSchedule>, command: Command) =>
    context.output.writeRows(found, { columns: scheduleColumns, json: isJson(command) });

  schedules
    .command("list")
    .description("list schedules, newest first")
    .action(async (_: unknown, command: Command) => show(api().list({}, { signal }), command));

  ofOne("get", "show a schedule").action(async (id: string, _: unknown, command: Command) =>
    show([(await api().get(id, { signal })).record], command),
  );

  const create = schedules
    .command("create")
    .description("make a schedule")
    .argument("<type>", "report type, one of `types`")
    .requiredOption("--name <text>", "what it is called")
    .requiredOption("--cron <pattern>", "minute, hour, day of the month, month, day of the week: '30 6 * * 1-5'")
    .option("--zone <zone>", "IANA time zone on whose clocks it fires", "UTC")
    .addOption(new Option("--missed <policy>", "what becomes of missed times").choices(["LATEST", "SKIP"]))
    .addOption(
      new Option("--overlap <policy>", "what becomes of times while a report is unfinished").choices(["SKIP", "ALLOW"]),
    )
    .addOption(repeatedOption("--where <filter=value>", "rows to show; times may be relative: createdFrom=today-P1D"));
  for (const flag of Object.values(startFlags)) create.addOption(flag);
  create.action(async (type: string, _: unknown, command: Command) => {
    const { name, cron, zone, missed, overlap, json: _json, ...flags } = command.optsWithGlobals<CreateOptions>();
    const { reportType, searchParam, ...options } = readStartInput(type, flags);
    const given = Object.fromEntries(
      Object.entries(options).filter(([, value]) => value !== undefined && value !== null),
    );
    const body = { name, reportType, cron, timezone: zone, missed, overlap, options: given };
    const whole = { ...body, ...(searchParam === undefined || searchParam === null ? {} : { searchParam }) };
    const { record } = await atFlags(scheduleFlags, async () => api().create(whole, { signal }));
    await show([record], command);
  });

  ofOne("pause", "pause a schedule").action(async (id: string, _: unknown, command: Command) =>
    show([(await api().pause(id, { signal })).record], command),
  );
  ofOne("resume", "resume a schedule").action(async (id: string, _: unknown, command: Command) =>
    show([(await api().resume(id, { signal })).record], command),
  );
  ofOne("run", "run a schedule now").action(async (id: string, _: unknown, command: Command) => {
    const fire = await api().run(id, { signal });
    await context.output.writeRows([fire], { columns: fireColumns, json: isJson(command) });
  });
  ofOne("fires", "list what came of the times of a schedule, newest first").action(
    async (id: string, _: unknown, command: Command) =>
      context.output.writeRows(api().fires(id, {}, { signal }), { columns: fireColumns, json: isJson(command) }),
  );
  ofOne("delete", "delete a schedule; its reports stay").action(async (id: string) => {
    await api().remove(id, { signal });
  });
}

function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ readonly json?: boolean }>().json === true;
}
