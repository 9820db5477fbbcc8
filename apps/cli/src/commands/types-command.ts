import type { ReportType } from "@reports/client";
import type { Command } from "commander";
import { hasJsonFlag, readOutputFormat, type CommandContext } from "../command-context.ts";
import { readCatalogueFilters, type CatalogueFilter } from "../catalogue-filters.ts";
import { formatCount } from "../output/format-amount.ts";
import type { TableColumn } from "../output/format-table.ts";
import { toSafeJson, toSafeText } from "../output/to-safe-text.ts";

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
  { heading: "KIND", text: describeKind },
  { heading: "SORT", text: ({ sortable }) => (sortable ? "yes" : "no") },
  { heading: "GROUP", text: ({ groupable }) => (groupable ? "yes" : "no") },
];

const filterColumns: readonly TableColumn<CatalogueFilter>[] = [
  { heading: "FILTER", text: ({ name }) => name },
  { heading: "MEANING", text: describeFilter, wrapsTo: 24 },
];

interface ColumnCode {
  readonly column: string;
  readonly code: string;
  readonly title: string;
  readonly meaning: string;
}

const codeColumns: readonly TableColumn<ColumnCode>[] = [
  { heading: "COLUMN", text: ({ column }) => column },
  { heading: "CODE", text: ({ code }) => code },
  { heading: "TITLE", text: ({ title }) => title, wrapsTo: 12 },
  { heading: "MEANING", text: ({ meaning }) => meaning, wrapsTo: 24 },
];

const timeHelp = `Times in filters can be words: 30d, in 30 days, 7 days ago, tomorrow,
this month, 31.01.2026 (day first) or 2026-01-31T08:00:00Z. A filter that
ends in To includes the day that you name. One filter can be a range:
--where 'created=last 7 days'. The API's own form is now, today, thisWeek,
thisMonth, thisQuarter or thisYear, and + or - a duration: thisMonth-P1M.`;

export function addTypesCommand(program: Command, context: CommandContext): void {
  const { output, signal } = context;
  program
    .command("types")
    .description("list the report types, or show one with its formats, columns and filters")
    .argument("[type]", "report type")
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const { reportTypes } = context.gateway();
      if (name === undefined) {
        const types = await reportTypes.list({ signal });
        return output.writeRows(types, { columns: typeColumns, ...readOutputFormat(command) });
      }
      const type = await reportTypes.get(name, { signal });
      if (hasJsonFlag(command)) return output.write(toSafeJson(type));
      const printTable = async <Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): Promise<void> => {
        if (rows.length === 0) return;
        output.write("");
        // In a pipe, only the headings distinguish the tables, so they are always printed.
        await output.writeRows(rows, { columns, json: false, headings: true });
      };
      output.write(`${toSafeText(type.reportType)}: ${toSafeText(type.title)}`);
      output.write(toSafeText(type.description));
      output.write(
        `Needs the authority ${toSafeText(type.authority)}; sorted by ${toSafeText(type.defaultSort.join(","))}.`,
      );
      await printTable(type.formats, formatColumns);
      await printTable(type.columns, columnColumns);
      const subtotals = listSubtotals(type);
      if (subtotals !== "") output.write(`\nSubtotals of groups: ${toSafeText(subtotals)}.`);
      await printTable(codesOf(type), codeColumns);
      const former = listFormerNames(type);
      if (former.length > 0) output.write(`\nFormer names, which still work: ${toSafeText(former.join(", "))}.`);
      const filters = sortFilters(type, readCatalogueFilters(type));
      await printTable(filters, filterColumns);
      if (filters.some(({ isTime }) => isTime)) output.write(`\n${timeHelp}`);
    });
}

function describeKind({ kind, unit, currency, currencyColumn }: ReportType["columns"][number]): string {
  const suffix = unit ?? currency ?? currencyColumn;
  // An older gateway sends no units.
  return suffix === null || suffix === undefined ? kind : `${kind} (${suffix})`;
}

/** Returns the codes whose meanings the report type explains. Other codes only have a title. */
function codesOf({ columns }: ReportType): readonly ColumnCode[] {
  const explained = columns.filter(({ meanings }) => Object.keys(meanings).length > 0);
  return explained.flatMap(({ key, titles, meanings }) =>
    Object.entries(titles).map(([code, title]) => ({ column: key, code, title, meaning: meanings[code] ?? "" })),
  );
}

/** An older gateway sends no subtotals. */
function listSubtotals({ subtotals = [] }: Partial<Pick<ReportType, "subtotals">>): string {
  return subtotals.map(({ title }) => title).join(", ");
}

/** An older gateway sends no former names. */
function listFormerNames({ formerNames }: Partial<Pick<ReportType, "formerNames">>): readonly string[] {
  if (formerNames === undefined) return [];
  return [formerNames.columns, formerNames.filters].flatMap((names) =>
    Object.entries(names).map(([former, name]) => `${former} (now ${name})`),
  );
}

/** Sorts filters: first those that a start requires, then the prominent ones in the order of the report type. */
function sortFilters(
  { prominentFilters }: ReportType,
  filters: readonly CatalogueFilter[],
): readonly CatalogueFilter[] {
  const rank = ({ name, isRequired }: CatalogueFilter): number => {
    if (isRequired) return -1;
    return prominentFilters.includes(name) ? prominentFilters.indexOf(name) : Infinity;
  };
  return filters.toSorted((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)));
}

/** Omits the grammar of times, which the command prints once below the table. */
function describeFilter({ description, isTime, isRequired, defaults }: CatalogueFilter): string {
  const purpose = isTime
    ? description.split(/ (?:Must|Each must) be (?:an RFC 3339 time|a day of) /)[0]!.replace(" (RFC 3339)", "")
    : description;
  if (isRequired) return `${purpose} Required.`;
  return defaults.length === 0 ? purpose : `${purpose} Default: ${defaults.join(", ")}.`;
}
