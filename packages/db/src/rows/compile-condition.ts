import type { Condition } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { bind, bindTexts, columnOf, type Relation } from "../relations/relation.ts";

/** Writes what a condition looks at. */
export interface ConditionTerms {
  column(key: string): SQL;
  /** Whether a list that is made of conditions holds any of the values, by what its relation says of it. */
  holds(key: string, condition: SQL): SQL;
}

/** Terms over the relation itself. */
const ownTerms = (relation: Relation): ConditionTerms => ({
  column: (key) => columnOf(relation, key).expression,
  holds: (_key, condition) => condition,
});

/**
 * A condition of a definition as SQL: of its figures and charts over the output of a query (`terms` gives the names there), and its fixed
 * conditions and that of its attention list over the relation itself.
 */
export function compileCondition(
  condition: Condition,
  relation: Relation,
  terms: ConditionTerms = ownTerms(relation),
): SQL {
  const { type, holds } = columnOf(relation, condition.column);
  const parts: SQL[] = [];
  if (condition.in !== undefined) {
    if (holds !== undefined) parts.push(terms.holds(condition.column, holds(condition.in)));
    else if (type === "text[]") parts.push(sql`${terms.column(condition.column)} && ${bindTexts(condition.in)}`);
    else parts.push(sql`${terms.column(condition.column)}::text = any(${bindTexts(condition.in)})`);
  }
  const limit = (value: number): SQL => bind(value, type === "integer" && Number.isInteger(value) ? type : "numeric");
  if (condition.atLeast !== undefined)
    parts.push(sql`${terms.column(condition.column)} >= ${limit(condition.atLeast)}`);
  if (condition.below !== undefined) parts.push(sql`${terms.column(condition.column)} < ${limit(condition.below)}`);
  if (condition.isNull !== undefined)
    parts.push(sql`${terms.column(condition.column)} is ${condition.isNull ? sql`null` : sql`not null`}`);
  return parts.length === 0 ? sql`true` : sql`(${sql.join(parts, sql` and `)})`;
}
