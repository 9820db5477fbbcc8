import { toLocalDay } from "@reports/core/base";
import { toCoveringWildcard } from "@reports/core/report";
import type { Filter, FilterValue, SearchParam } from "@reports/core/query";
import { sql, type SQL } from "drizzle-orm";
import {
  bindScalar,
  requireRelationColumn,
  type SqlColumnType,
  type Relation,
  type SqlScalarType,
} from "./relation.ts";

/** Returns a filter value's parameter: the result of `convert` with a cast to `type`. `index` counts the values of the filter from 0. */
export type BindFilterValue = (
  filter: string,
  index: number,
  value: FilterValue,
  type: SqlScalarType,
  convert: (text: string) => string,
) => SQL;

export interface FilterCompileOptions {
  readonly bindValue?: BindFilterValue;
  /** IANA time zone in which an instant is converted to a day for date columns. Default: `UTC`. */
  readonly timezone?: string;
}

const bindImmediately: BindFilterValue = (_filter, _index, value, type, convert) =>
  bindScalar(convert(String(value)), type);

/**
 * Returns the condition of all given filters, which excludes deleted rows. Throws an Error for an unknown filter, which parsing has refused before.
 */
export function compileFilters(
  relation: Relation,
  filters: readonly Filter[],
  given: SearchParam,
  { bindValue = bindImmediately, timezone = "UTC" }: FilterCompileOptions = {},
): SQL {
  const conditions = Object.entries(given).flatMap(([name, value]) => {
    const filter = filters.find((candidate) => candidate.name === name);
    if (filter === undefined) throw new Error(`The relation ${relation.name} has no filter ${name}.`);
    if (filter.operator === "parameter") return [];
    const values = toFilterValues(value);
    const alternatives = filter.columns.map((key) =>
      conditionOn(relation, key, filter, values, { bindValue, timezone }),
    );
    return sql`(${sql.join(alternatives, filter.operator === "notIn" ? sql` and ` : sql` or `)})`;
  });
  return sql.join([relation.active, ...conditions], sql` and `);
}

export function toFilterValues(value: SearchParam[string]): readonly FilterValue[] {
  return typeof value === "object" ? value : [value];
}

export function hasValueDependentSql(relation: Relation, filter: Filter): boolean {
  return (
    filter.operator === "empty" ||
    filter.columns.some((key) => requireRelationColumn(relation, key).implies !== undefined)
  );
}

export function filteredColumnKeys(filters: readonly Filter[], given: SearchParam): string[] {
  return filters.filter((filter) => Object.hasOwn(given, filter.name)).flatMap((filter) => filter.columns);
}

function conditionOn(
  relation: Relation,
  key: string,
  filter: Filter,
  values: readonly FilterValue[],
  conventions: Required<FilterCompileOptions>,
): SQL {
  const isPositive = filter.operator !== "notIn" && filter.operator !== "empty";
  const implied = isPositive ? requireRelationColumn(relation, key).implies?.(values.map(String)) : undefined;
  const condition = comparisonOn(relation, key, filter, values, conventions);
  // Postgres expects an opaque CASE to match half of the rows, which is about right for rows that meet the implied condition. So it uses the index of
  // the list's sort.
  return implied === undefined ? condition : sql`(${implied} and case when ${condition} then true else false end)`;
}

function comparisonOn(
  relation: Relation,
  key: string,
  filter: Filter,
  values: readonly FilterValue[],
  { bindValue, timezone }: Required<FilterCompileOptions>,
): SQL {
  const { name, operator, value: kind } = filter;
  const { expression, type } = requireRelationColumn(relation, key);
  const scalar = boundTypeOf(filter, type);
  // A date column stores no time. So an instant is compared as its day in `timezone`.
  const toColumn = (text: string): string =>
    type === "date" && kind === "timestamp" ? toLocalDay(new Date(text), timezone) : text;
  const boundAs = (as: SqlScalarType, ...converts: ((text: string) => string)[]): SQL[] =>
    values.flatMap((value, index) => converts.map((convert) => bindValue(name, index, value, as, convert)));
  const bound = (): SQL => sql.join(boundAs(scalar, toColumn), sql`, `);
  switch (operator) {
    case "in":
      return sql`${expression} in (${bound()})`;
    case "notIn":
      // Without `is null`, rows with a null would never match, because `null not in (…)` is null.
      return sql`(${expression} is null or ${expression} not in (${bound()}))`;
    case "empty":
      return isEmpty(expression, type, String(values[0]) === "true");
    case "serves":
      return sql`${expression} in (${sql.join(boundAs(scalar, keepText, toCoveringWildcard), sql`, `)})`;
    case "contains":
      return containsPattern(expression, boundAs("text", patternOf)[0]!);
    case "suffix": {
      const whole = boundAs("text", reverseText);
      const ends = boundAs("text", (text) => `${escapeLike(reverseText(text))}.%`);
      const alternatives = whole.map(
        (text, index) => sql`(reverse(${expression}) = ${text} or reverse(${expression}) like ${ends[index]!})`,
      );
      return sql`(${sql.join(alternatives, sql` or `)})`;
    }
    case "has":
      return sql`${expression} && array[${sql.join(boundAs("text", keepText), sql`, `)}]`;
    case "from":
      return sql`${expression} >= ${bound()}`;
    case "to":
      return sql`${expression} < ${bound()}`;
    case "parameter":
      throw new Error(`The parameter ${name} compares no column.`);
  }
}

export function containsTextSql(expression: SQL, text: string): SQL {
  return containsPattern(expression, bindScalar(patternOf(text), "text"));
}

const maxInt4 = 2 ** 31 - 1;

/**
 * Returns the SQL type to which the values of a filter are cast. A value outside the range of the column's type would fail the cast, so the type
 * may be wider.
 */
function boundTypeOf({ value, min = -Infinity, max = Infinity }: Filter, type: SqlColumnType): SqlScalarType {
  if (type === "text[]") return "text";
  if (value === "decimal") return "numeric";
  return type === "integer" && (min < -maxInt4 || max > maxInt4) ? "bigint" : type;
}

function isEmpty(expression: SQL, type: SqlColumnType, wanted: boolean): SQL {
  if (type === "text[]") return sql`(coalesce(cardinality(${expression}), 0) ${wanted ? sql`=` : sql`>`} 0)`;
  return sql`${expression} is ${wanted ? sql`null` : sql`not null`}`;
}

function keepText(text: string): string {
  return text;
}

function reverseText(text: string): string {
  return [...text].reverse().join("");
}

function containsPattern(expression: SQL, pattern: SQL): SQL {
  return sql`${expression} ilike ${pattern}`;
}

function patternOf(text: string): string {
  return `%${escapeLike(text)}%`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
