import type { Aggregate, Condition, Figure, FigureDefinition } from "./summary.ts";
import type { ColumnKind, NumberDisplay, ReportColumn } from "./column.ts";

export type FigureDisplay = Pick<FigureDefinition, "unit" | "currency" | "digits">;
type GivenDisplay = { readonly [Name in keyof FigureDisplay]: FigureDisplay[Name] | undefined };

type DefinitionParts = { readonly columns: readonly DisplayedColumn[]; readonly where?: readonly Condition[] };
type DisplayedColumn = Pick<ReportColumn, "key" | "unit" | "currency" | "digits">;

export function listCurrencyCodes(): readonly string[] {
  return Intl.supportedValuesOf("currency");
}

export function findOperandColumns(aggregate: Aggregate): readonly string[] {
  if (!("column" in aggregate) || aggregate.kind === "distinct") return [];
  return "weight" in aggregate ? [aggregate.column, aggregate.weight] : [aggregate.column];
}

export function selectAggregateDisplay(aggregate: Aggregate, definition: DefinitionParts): FigureDisplay {
  const [key] = findOperandColumns(aggregate);
  const column = definition.columns.find((candidate) => candidate.key === key);
  if (column === undefined) return {};
  return toFigureDisplay({ ...column, currency: findSingleCurrency(column, aggregate, definition.where) });
}

export function toFigureDisplay({ unit, currency, digits }: GivenDisplay): FigureDisplay {
  return {
    ...(unit === undefined ? {} : { unit }),
    ...(currency === undefined ? {} : { currency }),
    ...(digits === undefined ? {} : { digits }),
  };
}

export function findSingleCurrency(
  { currency }: Pick<ReportColumn, "currency">,
  aggregate: Aggregate,
  where: readonly Condition[] = [],
): string | undefined {
  if (typeof currency !== "object") return currency;
  const conditions = [...where, ...("where" in aggregate && aggregate.where !== undefined ? [aggregate.where] : [])];
  return conditions.find((one) => one.column === currency.column && one.in?.length === 1)?.in?.[0];
}

export function inheritColumnDisplay(figure: FigureDefinition, definition: DefinitionParts): FigureDefinition {
  const { unit, currency, digits } = selectAggregateDisplay(figure.aggregate, definition);
  const isPlain = figure.unit === undefined && figure.currency === undefined;
  return {
    ...figure,
    ...(isPlain && unit !== undefined && mayHaveUnit(figure.kind) ? { unit } : {}),
    ...(isPlain && currency !== undefined && mayHaveUnit(figure.kind) ? { currency } : {}),
    ...(figure.digits === undefined && digits !== undefined && mayHaveDigits(figure.kind, currency) ? { digits } : {}),
  };
}

export function createFigure(definition: FigureDefinition, value: string | null): Figure {
  const { key, title, kind, tone = "neutral" } = definition;
  return { key, title, kind, tone, value, ...toFigureDisplay(definition) };
}

const countableUnits: ReadonlySet<string> = new Set(Intl.supportedValuesOf("unit"));

/**
 * Returns the unit of ECMA-402 of which a unit is the English plural: `day` for `days`, and null for `kg`. Documents write such a unit in the
 * plural form of its number.
 */
export function toSingularUnit(unit: string): string | null {
  const singular = unit.replace(/s$/, "");
  return singular !== unit && countableUnits.has(singular) ? singular : null;
}

export function mayHaveUnit(kind: ColumnKind): boolean {
  return kind === "integer" || kind === "bigint" || kind === "decimal";
}

export function mayHaveDigits(kind: ColumnKind, currency: NumberDisplay["currency"]): boolean {
  return kind === "decimal" || kind === "ratio" || kind === "duration" || (currency !== undefined && mayHaveUnit(kind));
}
