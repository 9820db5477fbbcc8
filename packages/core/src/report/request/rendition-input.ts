import type { InputIssue } from "../../base/errors.ts";
import { isJsonObject, notAnObjectIssue, toJsonPointer } from "../../base/json-object.ts";
import { invalidInputError } from "../../base/truncate-issues.ts";
import { describeUnknownName } from "../../query/nearest-name.ts";
import { withCurrentColumnKeys } from "../types/former-names.ts";
import { omitColumnsAddedAfter } from "../types/omit-columns-added-after.ts";
import { startOptionDeclarations, type ReportOptions } from "../types/options.ts";
import { parseReportOptions, reportOptionNames } from "./parse-options.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";

/** Options that belong to the report or its rows, so that an additional format cannot choose them. */
const reportOnlyOptions = ["sort", "keepRows", "title"] as const;

export const renditionOptionNames = reportOptionNames.filter(
  (name) => !reportOnlyOptions.some((other) => other === name),
);

interface ParentReport {
  readonly definitionVersion: number;
  readonly title: string;
  readonly options: ReportOptions;
}

/**
 * Reads the options of an additional format. Missing options are those of the report, with these exceptions: `compression` is none, and columns and
 * locale that the report has by default are replaced by the defaults of the new format and language. Columns that the type got after the start of
 * the report do not exist. Throws DomainError("invalid") with every problem.
 */
export function renditionOptionsFromBody(
  current: ReportTypeDefinition,
  stored: ParentReport,
  body: unknown,
): ReportOptions {
  const definition = omitColumnsAddedAfter(current, stored.definitionVersion);
  const report = { ...stored, options: withCurrentColumnKeys(current, stored.options) };
  if (!isJsonObject(body)) throw invalidRendition([notAnObjectIssue]);
  const names = Object.keys(body);
  const known: readonly string[] = renditionOptionNames;
  const unknown = names.filter((name) => !known.includes(name));
  const issues: InputIssue[] = unknown.map((name, found) => ({
    pointer: toJsonPointer([name]),
    code: "unknown_parameter",
    message: reportOnlyOptions.some((other) => other === name)
      ? `${name} is the report's own and cannot differ for one of its files.`
      : describeUnknownName("parameter", name, renditionOptionNames, found),
  }));
  if (body["format"] === undefined || body["format"] === null) {
    const message = `format is required: one of ${Object.keys(definition.formats).join(", ")}.`;
    issues.push({ pointer: "/format", code: "required", message });
  }
  const chosen = names.filter((name) => known.includes(name) && body[name] !== null);
  const given = Object.fromEntries(chosen.map((name) => [name, body[name]]));
  const own = chosenByCaller(definition, report);
  const inherited = { ...report.options, ...own, compression: "none", keepRows: false, title: report.title };
  const parsed = parseReportOptions(definition, "json", { ...inherited, ...given }, (path) => ({
    pointer: toJsonPointer(path),
  }));
  if (!parsed.ok) throw invalidRendition([...issues, ...parsed.issues]);
  const { title: _, ...options } = parsed.options;
  if (options.groupBy !== null && options.groupBy !== firstSortKeyOf(report.options)) {
    const message = `groupBy must be the column by which the row snapshot is sorted first (${firstSortKeyOf(report.options) ?? "none"}), because groups keep the order of the source. Start a report with this groupBy.`;
    issues.push({ pointer: "/groupBy", code: "invalid_option", message });
  }
  if (issues.length > 0) throw invalidRendition(issues);
  return options;
}

function chosenByCaller(
  definition: ReportTypeDefinition,
  { options }: ParentReport,
): Readonly<Record<string, unknown>> {
  const names = ["columns", "locale"] as const;
  const chosen = names.map((name) => {
    const byDefault = startOptionDeclarations[name].byDefault(definition, options);
    return [name, JSON.stringify(options[name]) === JSON.stringify(byDefault) ? null : options[name]] as const;
  });
  return Object.fromEntries(chosen);
}

function firstSortKeyOf({ groupBy, sort }: ReportOptions): string | null {
  return groupBy ?? sort[0]?.replace(/^-/, "") ?? null;
}

function invalidRendition(issues: readonly InputIssue[]): Error {
  return invalidInputError("invalid", "invalid-parameters", "The file cannot be made", issues);
}
