import type { Condition } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { bind, bindTexts, columnOf, type Relation } from "../relations/relation.ts";

export interface ConditionTerms {
  column(key: string): SQL;
  /** Whether a list of conditions holds any of the values, by its relation. */
  holds(key: string, condition: SQL): SQL;
}

const ownTerms = (relation: Relation): ConditionTerms => ({
  column: (key) => columnOf(relation, key).expression,
  holds: (_key, condition) => condition,
});

/** Compiles a condition: over a query's output, whose names are `terms`, or for fixed conditions and attention over the relation. */
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
