import type { Condition } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { bindScalar, bindArray, requireRelationColumn, type Relation } from "../relations/relation.ts";

export interface ConditionSqlBuilder {
  column(key: string): SQL;
  /**
   * Returns SQL that reports whether the list column `key` contains a value of the condition's `in`. `condition` is the relation's SQL for this
   * test.
   */
  holds(key: string, condition: SQL): SQL;
}

const relationColumns = (relation: Relation): ConditionSqlBuilder => ({
  column: (key) => requireRelationColumn(relation, key).expression,
  holds: (_key, condition) => condition,
});

export function compileCondition(
  condition: Condition,
  relation: Relation,
  columns: ConditionSqlBuilder = relationColumns(relation),
): SQL {
  const { type, holds } = requireRelationColumn(relation, condition.column);
  const parts: SQL[] = [];
  if (condition.in !== undefined) {
    if (holds !== undefined) parts.push(columns.holds(condition.column, holds(condition.in)));
    else if (type === "text[]") parts.push(sql`${columns.column(condition.column)} && ${bindArray(condition.in)}`);
    else parts.push(sql`${columns.column(condition.column)}::text = any(${bindArray(condition.in)})`);
  }
  const limit = (value: number): SQL =>
    bindScalar(value, type === "integer" && Number.isInteger(value) ? type : "numeric");
  if (condition.atLeast !== undefined)
    parts.push(sql`${columns.column(condition.column)} >= ${limit(condition.atLeast)}`);
  if (condition.below !== undefined) parts.push(sql`${columns.column(condition.column)} < ${limit(condition.below)}`);
  if (condition.isNull !== undefined)
    parts.push(sql`${columns.column(condition.column)} is ${condition.isNull ? sql`null` : sql`not null`}`);
  return parts.length === 0 ? sql`true` : sql`(${sql.join(parts, sql` and `)})`;
}
