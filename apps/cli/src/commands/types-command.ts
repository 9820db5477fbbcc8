import type { ReportType } from "@reports/client";
import type { Command } from "commander";
import { isJson, rowFormatOf, type CommandContext } from "../command-context.ts";
import { readFilters, type CatalogueFilter } from "../catalogue-filters.ts";
import { formatCount } from "../output/format-amount.ts";
import type { TableColumn } from "../output/format-table.ts";
import { safeJson, safeText } from "../output/safe-text.ts";

const typeColumns: readonly TableColumn<ReportType>[] = [
  { heading: "TYPE", text: ({ reportType }) => reportType },
  { heading: "TITLE", text: ({ title }) => title, wrapsTo: 16 },
  { heading: "FORMATS", text: ({ formats }) => formats.map(({ format }) => format).join(",") },
  { heading: "AUTHORITY", text: ({ authority }) => authority },
];

const formatColumns: readonly TableColumn<ReportType["formats"][number]>[] = [
  { heading: "FORMAT", text: ({ format }) => format },
  { heading: "ROWS AT MOST", text: ({ maxRows }) => formatCount(maxRows), align: "right" },
  { heading: "COMPRESSION", text: ({ compressible }) => (compressible ? "yes" : "no") },
];

const columnColumns: readonly TableColumn<ReportType["columns"][number]>[] = [
  { heading: "COLUMN", text: ({ key }) => key },
  { heading: "TITLE", text: ({ title }) => title, wrapsTo: 16 },
  { heading: "KIND", text: ({ kind }) => kind },
  { heading: "SORT", text: ({ sortable }) => (sortable ? "yes" : "no") },
  { heading: "GROUP", text: ({ groupable }) => (groupable ? "yes" : "no") },
];

const filterColumns: readonly TableColumn<CatalogueFilter>[] = [
  { heading: "FILTER", text: ({ name }) => name },
  { heading: "MEANING", text: ({ description }) => description, wrapsTo: 24 },
];

export function addTypesCommand(program: Command, context: CommandContext): void {
  const { output, signal } = context;
  program
    .command("types")
    .description("list the report types, or show one with its formats, columns and filters")
    .argument("[type]", "report type")
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const json = isJson(command);
      const { reportTypes } = context.gateway();
      if (name === undefined) {
        await output.writeRows(await reportTypes.list({ signal }), { columns: typeColumns, ...rowFormatOf(command) });
        return;
      }
      const type = await reportTypes.get(name, { signal });
      // Without headings, a pipe could not tell the tables apart.
      const headings = true;
      if (json) return output.write(safeJson(type));
      output.write(`${safeText(type.reportType)}: ${safeText(type.title)}`);
      output.write(safeText(type.description));
      output.write(
        `Needs the authority ${safeText(type.authority)}; sorted by ${safeText(type.defaultSort.join(","))}.`,
      );
      output.write("");
      await output.writeRows(type.formats, { columns: formatColumns, json, headings });
      output.write("");
      await output.writeRows(type.columns, { columns: columnColumns, json, headings });
      output.write("");
      await output.writeRows(readFilters(type), { columns: filterColumns, json, headings });
    });
}
