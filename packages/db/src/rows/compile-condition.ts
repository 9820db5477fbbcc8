import type { Condition } from "@reports/core";
import { sql, type SQL } from "drizzle-orm";
import { bind, bindTexts, columnOf, type Relation } from "../relations/relation.ts";

/**
 * A condition of a definition as SQL: of its figures, charts and attention list over the output of a query (`expressionOf` gives the names
 * there), and its fixed conditions over the relation itself.
 */
export function compileCondition(
  condition: Condition,
  relation: Relation,
  expressionOf: (key: string) => SQL = (key) => columnOf(relation, key).expression,
): SQL {
  const expression = expressionOf(condition.column);
  const { type } = columnOf(relation, condition.column);
  const parts: SQL[] = [];
  if (condition.in !== undefined) {
    parts.push(
      type === "text[]"
        ? sql`${expression} && ${bindTexts(condition.in)}`
        : sql`${expression}::text = any(${bindTexts(condition.in)})`,
    );
  }
  const limit = (value: number): SQL => bind(value, type === "integer" && Number.isInteger(value) ? type : "numeric");
  if (condition.atLeast !== undefined) parts.push(sql`${expression} >= ${limit(condition.atLeast)}`);
  if (condition.below !== undefined) parts.push(sql`${expression} < ${limit(condition.below)}`);
  if (condition.isNull !== undefined)
    parts.push(condition.isNull ? sql`${expression} is null` : sql`${expression} is not null`);
  return parts.length === 0 ? sql`true` : sql`(${sql.join(parts, sql` and `)})`;
}
