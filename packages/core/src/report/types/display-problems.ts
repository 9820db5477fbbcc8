import { describeAllowedNames } from "../../query/nearest-name.ts";
import type { NumberDisplay, ReportColumn } from "./column.ts";
import {
  findUnknownColumnProblems,
  findIntegerProblems,
  findTextProblems,
  quoteValue,
  type DefinitionColumnKinds,
} from "./definition-rules.ts";
import {
  findOperandColumns,
  listCurrencyCodes,
  mayHaveDigits,
  mayHaveUnit,
  findSingleCurrency,
} from "./number-display.ts";
import type { Aggregate } from "./summary.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

const maxUnitLength = 20;
const maxDigits = 20;
/** Spreadsheets show at most 3 decimal places of a second. */
const maxDigitsOfSeconds = 3;

export function findDisplayProblems(definition: ReportTypeDefinition, known: DefinitionColumnKinds): string[] {
  const { columns, summary } = definition;
  const aggregates: readonly (readonly [string, Aggregate])[] = [
    ...summary.figures.map(({ key, aggregate }) => [`figure ${quoteValue(key)}`, aggregate] as const),
    ...summary.charts.map(({ key, measure }) => [`chart ${quoteValue(key)}: its measure`, measure] as const),
  ];
  const shown: readonly (readonly [string, readonly string[] | undefined])[] = [
    ["attention: its columns", summary.attention?.columns],
    ["attention: its pdfColumns", summary.attention?.pdfColumns],
  ];
  return [
    ...columns.flatMap((column) => [
      ...problemsOfDisplay(`column ${quoteValue(column.key)}`, column),
      ...problemsOfCurrencyColumn(column, known),
    ]),
    ...summary.figures.flatMap((figure) => problemsOfDisplay(`figure ${quoteValue(figure.key)}`, figure)),
    ...aggregates.flatMap(([on, aggregate]) => problemsOfMixture(on, aggregate, definition)),
    ...shown.flatMap(([on, keys]) => (keys === undefined ? [] : problemsOfSelection(on, keys, columns))),
  ];
}

function problemsOfDisplay(
  on: string,
  given: NumberDisplay & Pick<ReportColumn, "kind" | "plainDigits" | "daysUntil">,
): string[] {
  const { kind, unit, currency, digits } = given;
  const problems: string[] = [];
  const name = unit === undefined ? "currency" : "unit";
  if (unit !== undefined && currency !== undefined)
    problems.push(`${on}: unit and currency exclude each other; the currency is the unit of an amount.`);
  if (unit !== undefined) problems.push(...findTextProblems(`${on}: its unit`, unit, maxUnitLength));
  if ((unit ?? currency) !== undefined) {
    if (!mayHaveUnit(kind))
      problems.push(`${on}: ${name} is for the kinds integer, bigint and decimal, and it is ${kind}.`);
    if (given.plainDigits !== undefined || given.daysUntil !== undefined)
      problems.push(`${on}: ${name} does not go with plainDigits or daysUntil, whose numbers have no unit.`);
  }
  if (typeof currency === "string" && !listCurrencyCodes().includes(currency))
    problems.push(
      `${on}: its currency must be a code of ISO 4217, and ${quoteValue(currency)} is none. ${describeAllowedNames(currency, listCurrencyCodes())}`,
    );
  if (digits !== undefined) {
    problems.push(
      ...findIntegerProblems(`${on}: digits`, digits, 0, kind === "duration" ? maxDigitsOfSeconds : maxDigits),
    );
    if (!mayHaveDigits(kind, currency))
      problems.push(`${on}: digits is for the kinds decimal, ratio and duration and for amounts, and it is ${kind}.`);
  }
  return problems;
}

function problemsOfCurrencyColumn({ key, currency }: ReportColumn, { own }: DefinitionColumnKinds): string[] {
  if (typeof currency !== "object") return [];
  const on = `column ${quoteValue(key)}: its currency`;
  const kind = own.get(currency.column);
  if (kind === undefined) return findUnknownColumnProblems(on, currency.column, own);
  return kind === "text" ? [] : [`${on}: ${currency.column} must have codes and be of kind text, and it is ${kind}.`];
}

function problemsOfMixture(
  on: string,
  aggregate: Aggregate,
  { columns, where }: Pick<ReportTypeDefinition, "columns" | "where">,
): string[] {
  return findOperandColumns(aggregate).flatMap((key) => {
    const column = columns.find((candidate) => candidate.key === key);
    if (typeof column?.currency !== "object" || findSingleCurrency(column, aggregate, where) !== undefined) return [];
    const by = column.currency.column;
    return [
      `${on}: the ${aggregate.kind} of ${key} would mix currencies, because each row has its own in ${by}. Restrict it to one, such as where: { column: "${by}", in: ["EUR"] }.`,
    ];
  });
}

function problemsOfSelection(on: string, keys: readonly string[], columns: readonly ReportColumn[]): string[] {
  return columns.flatMap(({ key, currency }) =>
    typeof currency === "object" && keys.includes(key) && !keys.includes(currency.column)
      ? [`${on}: ${key} needs ${currency.column} next to it, which has the currency of each row.`]
      : [],
  );
}
