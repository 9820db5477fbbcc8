import type { ColumnKind } from "./column.ts";
import { findUnknownColumnProblems, quoteValue } from "./definition-rules.ts";
import { isNumericKind } from "./logical-columns.ts";
import type { Condition } from "./summary.ts";

const maxValues = 1_000;
const integerSpelling = { pattern: /^(0|-?[1-9]\d*)$/, rule: "an integer in decimal digits" };
/** Spellings of the kinds whose values have only one spelling, so that they can be compared as texts. Null: any text is a value. */
const valueSpellings: Readonly<Partial<Record<ColumnKind, { pattern: RegExp; rule: string } | null>>> = {
  text: null,
  list: null,
  integer: integerSpelling,
  bigint: integerSpelling,
  bytes: integerSpelling,
  boolean: { pattern: /^(true|false)$/, rule: "true or false" },
  date: { pattern: /^\d{4}-\d{2}-\d{2}$/, rule: "a day such as 2026-01-31" },
  time: {
    pattern: /^(([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{0,5}[1-9])?|24:00:00)$/,
    rule: "a time of day such as 08:30:00",
  },
};

export function findConditionProblems(
  where: string,
  condition: Condition,
  columns: ReadonlyMap<string, ColumnKind>,
): string[] {
  const { column, in: values, atLeast, below, isNull } = condition;
  const kind = columns.get(column);
  if (kind === undefined) return findUnknownColumnProblems(where, column, columns);
  const on = `${where}, on ${column}`;
  const problems: string[] = [];
  const hasRange = atLeast !== undefined || below !== undefined;
  if (values === undefined && !hasRange && isNull === undefined)
    problems.push(`${on}: a condition has one of in, atLeast, below and isNull.`);
  if (isNull === true && (values !== undefined || hasRange))
    problems.push(`${on}: a value that is null meets no other test, so that no row would meet isNull and another one.`);
  if (values !== undefined) problems.push(...problemsOfValues(on, kind, values));
  if (hasRange && !isNumericKind(kind))
    problems.push(`${on}: atLeast and below compare numbers, and the column is of kind ${kind}.`);
  for (const bound of [atLeast, below])
    if (bound !== undefined && !Number.isFinite(bound)) problems.push(`${on}: atLeast and below are finite numbers.`);
  if (atLeast !== undefined && below !== undefined && atLeast >= below)
    problems.push(`${on}: atLeast (${atLeast}) must be smaller than below (${below}), which is exclusive.`);
  return problems;
}

function problemsOfValues(on: string, kind: ColumnKind, values: readonly string[]): string[] {
  const spelling = valueSpellings[kind];
  if (spelling === undefined)
    return [`${on}: in compares texts, and the column is of kind ${kind}, whose values have many spellings.`];
  if (values.length === 0 || values.length > maxValues)
    return [`${on}: in takes 1 to ${maxValues} values, and ${values.length} are given.`];
  if (spelling === null) return [];
  const { pattern, rule } = spelling;
  return values.filter((value) => !pattern.test(value)).map((value) => `${on}: ${quoteValue(value)} must be ${rule}.`);
}
