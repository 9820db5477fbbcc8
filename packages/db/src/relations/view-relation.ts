import { PermanentReportError, toLocalDay } from "@reports/core/base";
import type { SearchParam } from "@reports/core/query";
import { toParameterSqlType, type ViewColumn, type ViewParameter, type ViewRows } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { intervalSecondsSql } from "./interval-seconds.ts";
import { bindScalar, castText, createRelationColumn, type Relation, type SqlScalarType } from "./relation.ts";

/** Allowed names of schemas, views and columns. SQL quotes them nevertheless, because an allowed name can be a keyword. */
const namePattern = /^[a-z_][a-z0-9_$]{0,62}$/;

/** Alias of the view in every query. Without it, a name in ORDER BY could mean an output column of the query. */
const sourceAlias = quoteName("source");

type BindParameter = (parameter: ViewParameter) => SQL;

/** Passes null for every parameter. The query is only planned, to compare the function's columns with the report type. */
export const bindNullParameter: BindParameter = (parameter) => castText(sql`null`, scalarTypeOf(parameter));

/**
 * Returns a function that passes the report's value of a parameter. It throws PermanentReportError if the report was started before its type had
 * the parameter.
 */
export function createViewParameterBinder({ searchParam, timezone }: ParameterValues): BindParameter {
  return (parameter) => {
    const { name, value: kind } = parameter;
    const value = searchParam[name];
    if (value === undefined || typeof value === "object") {
      const message = `The report has no value of ${name}, which its report type requires now. Start it again with ${name}.`;
      throw new PermanentReportError("INVALID_DATA", message);
    }
    const type = scalarTypeOf(parameter);
    return bindScalar(
      kind === "timestamp" && type === "date" ? toLocalDay(new Date(String(value)), timezone) : value,
      type,
    );
  };
}

interface ParameterValues {
  readonly searchParam: SearchParam;
  readonly timezone: string;
}

function scalarTypeOf(parameter: ViewParameter): SqlScalarType {
  return toParameterSqlType(parameter) as SqlScalarType;
}

export function createViewRelation(
  { view, parameters, id, columns, living }: ViewRows,
  bindParameter: BindParameter,
): Relation {
  const call = parameters === undefined ? sql`` : sql`(${sql.join(parameters.map(bindParameter), sql`, `)})`;
  return {
    name: view,
    from: sql`${quoteView(view)}${call} as ${sourceAlias}`,
    active:
      living === undefined
        ? sql`true`
        : sql`${viewColumn(living.column)} is ${living.isNull ? sql`null` : sql`not null`}`,
    id: viewColumn(id),
    columns: Object.fromEntries(Object.entries(columns).map(([key, given], at) => [key, relationColumn(given, at)])),
  };
}

/** Returns a subquery in place of the view. `select` gets the columns that the report type uses and returns the query. */
export function selectFromView({ id, columns, living }: ViewRows, select: (columns: SQL) => SQL): SQL {
  const named = Object.values(columns).flatMap(({ column: name, rankedBy }) => [name, rankedBy ?? name]);
  const names = new Set([id, ...named, living?.column ?? id]);
  return sql`(${select(sql.join([...names].map(viewColumn), sql`, `))}) as ${sourceAlias}`;
}

/** `schema` is null if the name contains none. Postgres then uses its search path. */
export function splitViewName(view: string): { readonly schema: string | null; readonly name: string } {
  const parts = view.split(".");
  return parts.length === 1 ? { schema: null, name: parts[0]! } : { schema: parts[0]!, name: parts.slice(1).join(".") };
}

function relationColumn(
  { column: name, type, rankedBy, nullable = true }: ViewColumn,
  at: number,
): Relation["columns"][string] {
  const order =
    rankedBy === undefined
      ? {}
      : { order: { expression: viewColumn(rankedBy), type: "integer" as const, mayTie: true } };
  const stored = viewColumn(name);
  return type === "interval"
    ? createRelationColumn(intervalSecondsSql(stored, at), "numeric", { nullable, stored, ...order })
    : createRelationColumn(castToText(stored, type), type, { nullable, ...order });
}

/**
 * Casts a column that the report type declares as text, because it can be an enumeration or varchar in the view. A text column keeps its indexes.
 * `findViewProblems` refuses columns of other types, such as integer, which the cast would hide.
 */
function castToText(expression: SQL, type: ViewColumn["type"]): SQL {
  if (type === "text") return sql`${expression}::text`;
  if (type === "text[]") return sql`${expression}::text[]`;
  return expression;
}

function quoteView(view: string): SQL {
  const { schema, name } = splitViewName(view);
  return schema === null ? sql`${quoteName(name)}` : sql`${quoteName(schema)}.${quoteName(name)}`;
}

function viewColumn(name: string): SQL {
  return sql`${sourceAlias}.${quoteName(name)}`;
}

function quoteName(name: string): SQL.Aliased {
  if (!namePattern.test(name))
    throw new Error(`${JSON.stringify(name)} cannot be the name of a view or of its column.`);
  return sql``.as(name);
}
