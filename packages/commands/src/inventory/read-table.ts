import { describeAllowedNames } from "@reports/core/query";
import { readRecordInput, type RecordInputRules, type CsvCellReader } from "@reports/core/record";
import type { ReportRowProblem } from "./inventory-file-problem.ts";
import type { CsvRecord } from "./read-csv.ts";

/** One row of a file. `body` is the record as a caller would send it to the API. */
export interface CsvTableRow {
  readonly line: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The values of columns that are not fields of the record, such as `proxyName`. */
  readonly extra: Readonly<Record<string, string>>;
}

export interface CsvTableRules extends CsvCellReader {
  readonly fields: RecordInputRules<unknown>["fields"];
  readonly serverFields: RecordInputRules<unknown>["serverFields"];
  readonly extra: readonly string[];
}

/**
 * Reads the rows of a CSV file. Its header names fields of the record in any order, and an empty cell means that the field is omitted. If the
 * header is invalid, yields nothing.
 */
export async function* readTable(
  records: AsyncIterable<CsvRecord>,
  rules: CsvTableRules,
  report: ReportRowProblem,
): AsyncGenerator<CsvTableRow> {
  let header: readonly string[] | undefined;
  for await (const { line, cells } of records) {
    if (header === undefined) {
      header = readHeader(cells, line, rules, report);
      if (header.length === 0) return;
    } else if (cells.length !== header.length) {
      report({ line, reason: `has ${cells.length} cells, and the header has ${header.length}` });
    } else {
      yield toRow(line, header, cells, rules);
    }
  }
  if (header === undefined)
    report({ line: 1, reason: "the file is empty; its first line must be a header of field names" });
}

function readHeader(
  cells: readonly string[],
  line: number,
  rules: CsvTableRules,
  report: ReportRowProblem,
): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const allowed = [...rules.fields, ...rules.extra];
  let isValid = true;
  const refuse = (column: string, reason: string): void => {
    isValid = false;
    report({ line, column, reason });
  };
  for (const [index, name] of names.entries()) {
    if (rules.serverFields.includes(name) && !rules.extra.includes(name))
      refuse(name, "is set by the server; remove the column");
    else if (!allowed.includes(name)) refuse(name, `is not a field. ${describeAllowedNames(name, allowed)}`);
    else if (names.indexOf(name) !== index) refuse(name, "appears twice in the header");
  }
  for (const name of rules.required) if (!names.includes(name)) refuse(name, "is required and not in the header");
  return isValid ? names : [];
}

function toRow(
  line: number,
  header: readonly string[],
  cells: readonly string[],
  { extra: extraNames, readCell }: CsvTableRules,
): CsvTableRow {
  const body: Record<string, unknown> = {};
  const extra: Record<string, string> = {};
  for (let index = 0; index < header.length; index++) {
    const name = header[index]!;
    const cell = cells[index]!;
    if (cell === "") continue;
    if (extraNames.includes(name)) extra[name] = cell;
    else body[name] = readCell(name, cell);
  }
  return { line, body, extra };
}

/** Returns the record of a row. If the row breaks rules, reports each of them and returns null. */
export function readRecord<Input>(
  rules: RecordInputRules<Input>,
  { line, body }: CsvTableRow,
  report: ReportRowProblem,
): Input | null {
  const result = readRecordInput(rules, body);
  if (result.ok) return result.input;
  for (const { pointer = "", message } of result.issues)
    report({ line, column: pointer.split("/")[1] ?? "", reason: message });
  return null;
}
