import type { ReportSchedule, ReportScheduleFire } from "@reports/client";
import type { Command } from "commander";
import { hasJsonFlag, readOutputFormat, type CommandContext } from "../command-context.ts";
import { resolveScheduleId } from "../input/find-id.ts";
import { createScheduleIdArgument } from "../input/id-arguments.ts";
import { describeNextRuns } from "../output/describe-next-runs.ts";
import { watchRetries } from "../output/watch-retries.ts";
import { quoteShellWord } from "../output/shell-word.ts";
import type { TableColumn } from "../output/format-table.ts";
import { editRecord } from "./edit-record.ts";
import { addCreateScheduleCommand, addEditScheduleCommand, scheduleFlagNames } from "./write-schedule.ts";
import { createListLimitOption, writeNewestRecords } from "./newest.ts";

const scheduleColumns: readonly TableColumn<ReportSchedule>[] = [
  { heading: "ID", text: ({ id }) => id, kind: "id" },
  { heading: "NAME", text: ({ name }) => name, cutsTo: 14 },
  { heading: "TYPE", text: ({ reportType }) => reportType, spare: 3 },
  { heading: "CRON", text: ({ cron }) => cron, spare: 2 },
  { heading: "ZONE", text: ({ timezone }) => timezone, spare: 4 },
  {
    heading: "STATUS",
    text: ({ status, pausedBecause, unfitBecause }) => {
      const code = pausedBecause?.code ?? unfitBecause?.code;
      return code === undefined ? status : `${status} (${code})`;
    },
  },
  { heading: "NEXT", text: ({ nextFireAt }) => nextFireAt ?? "", kind: "age", spare: 1 },
];

const runColumns: readonly TableColumn<ReportScheduleFire>[] = [
  { heading: "SCHEDULED FOR", text: ({ scheduledFor }) => scheduledFor },
  { heading: "OUTCOME", text: ({ outcome, count }) => (count === 1 ? outcome : `${outcome} × ${count}`) },
  { heading: "BECAUSE", text: ({ because }) => because ?? "", wrapsTo: 12 },
  { heading: "REPORT", text: ({ reportId }) => reportId ?? "", kind: "id" },
];

export function addScheduleCommands(program: Command, context: CommandContext): void {
  const { signal } = context;
  const schedules = program
    .command("schedules")
    .description("make and follow schedules, which start reports by themselves");
  const ofOne = (name: string, description: string): Command =>
    schedules.command(name).description(description).addArgument(createScheduleIdArgument());
  const api = () => context.gateway().schedules;
  const find = async (given: string) => resolveScheduleId(context, given);
  const show = async (found: ReportSchedule, command: Command): Promise<void> => {
    await context.output.writeRows([found], { columns: scheduleColumns, ...readOutputFormat(command) });
  };
  const showTimes = async (found: ReportSchedule, command: Command): Promise<void> => {
    await show(found, command);
    if (!hasJsonFlag(command)) for (const line of describeNextRuns(found)) context.output.say(line);
  };

  schedules
    .command("list")
    .description("list schedules, newest first")
    .addOption(createListLimitOption())
    .action(async (_: unknown, command: Command) =>
      writeNewestRecords(context, { columns: scheduleColumns, ...listOptions(command) }, (page) =>
        api().list(page, { signal }),
      ),
    );

  ofOne("get", "show a schedule").action(async (given: string, _: unknown, command: Command) =>
    showTimes((await api().get(await find(given), { signal })).record, command),
  );

  addCreateScheduleCommand(schedules, context, async (input, command) =>
    showTimes((await api().create(input, { signal })).record, command),
  );

  addEditScheduleCommand(
    ofOne("edit", "change a schedule and show its next times"),
    context,
    async (given, patchOf, command) => {
      const id = await find(given);
      const changed = await editRecord(
        context,
        {
          what: "schedule",
          showWords: `schedules get ${quoteShellWord(id)}`,
          read: async () => api().get(id, { signal }),
          patch: async (stored, how) => (await api().patch(id, await patchOf(stored), { signal, ...how })).record,
        },
        scheduleFlagNames,
      );
      await showTimes(changed, command);
    },
  );
  ofOne("pause", "pause a schedule").action(async (given: string, _: unknown, command: Command) =>
    show((await api().pause(await find(given), { signal })).record, command),
  );
  ofOne("resume", "resume a schedule").action(async (given: string, _: unknown, command: Command) =>
    show((await api().resume(await find(given), { signal })).record, command),
  );
  ofOne("run", "run a schedule now")
    .option("--idempotency-key <key>", "returns the run that the same command with this key started within a day")
    .action(async (given: string, _: unknown, command: Command) => {
      const { idempotencyKey } = command.optsWithGlobals<{ readonly idempotencyKey?: string }>();
      const fire = await api().run(await find(given), {
        signal,
        idempotencyKey,
        onRetry: watchRetries(context.output.say).onRetry,
      });
      await context.output.writeRows([fire], { columns: runColumns, ...readOutputFormat(command) });
    });
  ofOne("fires", "list the runs of a schedule, newest first")
    .addOption(createListLimitOption())
    .action(async (given: string, _: unknown, command: Command) => {
      const id = await find(given);
      await writeNewestRecords(context, { columns: runColumns, ...listOptions(command) }, (page) =>
        api().fires(id, page, { signal }),
      );
    });
  ofOne("delete", "delete a schedule; its reports stay").action(async (given: string) => {
    await api().remove(await find(given), { signal });
    context.output.say("The schedule is deleted; its reports stay.");
  });
}

function listOptions(command: Command): { readonly limit: number } & ReturnType<typeof readOutputFormat> {
  return { limit: command.optsWithGlobals<{ readonly limit: number }>().limit, ...readOutputFormat(command) };
}
