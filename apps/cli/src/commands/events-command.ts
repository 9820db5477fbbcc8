import type { ReportEvent } from "@reports/client";
import type { Command } from "commander";
import { readOutputFormat, type CommandContext } from "../command-context.ts";
import type { TableColumn } from "../output/format-table.ts";
import { resolveReportId } from "../input/find-id.ts";
import { createReportIdArgument } from "../input/id-arguments.ts";
import { readPastEvents } from "../past-events.ts";

const eventColumns: readonly TableColumn<ReportEvent>[] = [
  { heading: "AT", text: ({ at }) => at },
  { heading: "FROM", text: ({ from }) => from ?? "" },
  { heading: "TO", text: ({ to }) => to },
  { heading: "ATTEMPT", text: ({ attempt }) => `${attempt}`, align: "right", spare: 1 },
  { heading: "BECAUSE", text: ({ because }) => because ?? "" },
  { heading: "BY", text: ({ actor }) => actor ?? "", wrapsTo: 12 },
];

export function addEventsCommand(program: Command, context: CommandContext): void {
  program
    .command("events")
    .description("list what has happened to a report, from its creation to its end or until now")
    .addArgument(createReportIdArgument())
    .action(async (given: string, _: unknown, command: Command) => {
      const id = await resolveReportId(context, given);
      const events = await readPastEvents(context.gateway().reports, id, context.signal);
      await context.output.writeRows(events, { columns: eventColumns, ...readOutputFormat(command) });
    });
}
