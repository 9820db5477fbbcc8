import type { Filter, FilterValue, SearchParam } from "@reports/core";
import { sql, type SQL } from "drizzle-orm";
import { bind, bindTexts, columnOf, type Relation } from "./relation.ts";

/**
 * The conditions of normalised filters on a relation, the living condition included. Columns come from the relation's table by the
 * filter's definition, values are bound; a name that is no filter is a bug, as parsing has refused it before.
 */
export function compileFilters(relation: Relation, filters: readonly Filter[], given: SearchParam): SQL {
  const conditions = Object.entries(given).map(([name, value]) => {
    const filter = filters.find((candidate) => candidate.name === name);
    if (filter === undefined) throw new Error(`${relation.name} is not filtered by ${name}.`);
    const values: readonly FilterValue[] = Array.isArray(value) ? value : [value as FilterValue];
    const alternatives = filter.columns.map((key) => conditionOn(relation, key, filter, values));
    return sql`(${sql.join(alternatives, sql` or `)})`;
  });
  return sql.join([relation.living, ...conditions], sql` and `);
}

/** The logical columns that the given filters look at. */
export function filteredColumns(filters: readonly Filter[], given: SearchParam): string[] {
  return filters.filter((filter) => Object.hasOwn(given, filter.name)).flatMap((filter) => filter.columns);
}

function conditionOn(relation: Relation, key: string, filter: Filter, values: readonly FilterValue[]): SQL {
  const implied = columnOf(relation, key).implies?.(values.map(String));
  const condition = comparisonOn(relation, key, filter, values);
  return implied === undefined ? condition : sql`(${implied} and ${condition})`;
}

function comparisonOn(relation: Relation, key: string, filter: Filter, values: readonly FilterValue[]): SQL {
  const { expression, type } = columnOf(relation, key);
  const scalar = type === "text[]" ? "text" : type;
  switch (filter.operator) {
    case "in":
      return isOneOf(expression, values, scalar);
    case "serves":
      return isOneOf(
        expression,
        values.flatMap((value) => [value, coveringWildcard(String(value))]),
        scalar,
      );
    case "contains":
      return sql`${expression} ilike ${bind(`%${escapeLike(String(values[0]))}%`, "text")}`;
    case "suffix":
      return sql`(${sql.join(
        values.map((value) => suffixCondition(expression, String(value))),
        sql` or `,
      )})`;
    case "has":
      return sql`${expression} && ${bindTexts(values)}`;
    case "from":
      return sql`${expression} >= ${bind(values[0]!, scalar)}`;
    case "to":
      return sql`${expression} < ${bind(values[0]!, scalar)}`;
  }
}

function isOneOf(expression: SQL, values: readonly FilterValue[], type: Parameters<typeof bind>[1]): SQL {
  const bound = values.map((value) => bind(value, type));
  return sql`${expression} in (${sql.join(bound, sql`, `)})`;
}

/** A wildcard stands for one label. RFC 9525 §6.3. */
function coveringWildcard(hostname: string): string {
  return `*${hostname.slice(hostname.indexOf("."))}`;
}

/** At a label boundary, by the index on the reversed name. */
function suffixCondition(expression: SQL, suffix: string): SQL {
  const reversed = [...suffix].reverse().join("");
  return sql`(reverse(${expression}) = ${bind(reversed, "text")} or reverse(${expression}) like ${bind(`${escapeLike(reversed)}.%`, "text")})`;
}

/** Makes a text match itself only, in LIKE and ILIKE with their default escape character. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
