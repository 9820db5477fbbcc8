import type { ReportColumn } from "./column.ts";
import { findNameProblems, findTextProblems, quoteValue } from "./definition-rules.ts";
import { sqlTypesByColumnKind } from "./logical-columns.ts";
import type { ReportRows, ViewColumnType, ViewRows } from "./row-source.ts";
import { findParameterProblems } from "./view-parameter.ts";

const sqlNamePattern = /^[a-z_][a-z0-9_$]{0,62}$/;
const sourceNamePattern = /^[a-z][a-z0-9_]{0,62}$/;

export function findRowSourceProblems(rows: ReportRows, columns: readonly ReportColumn[]): string[] {
  switch (rows.kind) {
    case "relation":
      return findTextProblems("rows: the relation's name", rows.relation, 63);
    case "view":
      return problemsOfView(rows, columns);
    case "objects":
      return [];
  }
}

function problemsOfView(
  { source, view, parameters = [], id, columns, living }: ViewRows,
  shown: readonly ReportColumn[],
): string[] {
  const problems: string[] = [];
  if (source !== undefined && !sourceNamePattern.test(source))
    problems.push(`rows: the source ${quoteValue(source)} must match ${sourceNamePattern.source}.`);
  const parts = view.split(".");
  if (parts.length > 2 || !parts.every((part) => sqlNamePattern.test(part)))
    problems.push(
      `rows: the view ${quoteValue(view)} must be a name or schema.name, each part matching ${sqlNamePattern.source}.`,
    );
  problems.push(...findParameterProblems(parameters), ...findSqlNameProblems("rows: id", id));
  if (living !== undefined) problems.push(...findSqlNameProblems("rows: living", living.column));
  for (const [key, { column, rankedBy }] of Object.entries(columns)) {
    problems.push(...findNameProblems("rows: the column", key), ...findSqlNameProblems(`rows: ${key}: column`, column));
    if (rankedBy !== undefined) problems.push(...findSqlNameProblems(`rows: ${key}: rankedBy`, rankedBy));
  }
  for (const { key, kind } of shown) {
    const type = Object.hasOwn(columns, key) ? columns[key]?.type : undefined;
    const fitting: readonly ViewColumnType[] = sqlTypesByColumnKind[kind];
    if (type === undefined) problems.push(`rows: the view's columns lack ${quoteValue(key)}, which the report shows.`);
    else if (!fitting.includes(type))
      problems.push(`rows: ${key} is ${type} in the view, and a column of kind ${kind} needs ${fitting.join(" or ")}.`);
  }
  return problems;
}

export function findSqlNameProblems(what: string, name: string): string[] {
  return sqlNamePattern.test(name)
    ? []
    : [`${what}: the name ${quoteValue(name)} must match ${sqlNamePattern.source}.`];
}
