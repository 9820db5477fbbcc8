import type { ViewColumn, ViewRows } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { column, type Relation } from "./relation.ts";

/** Allowed in a name's part. It is quoted all the same, because it may be a keyword. */
const namePattern = /^[a-z_][a-z0-9_$]{0,62}$/;

/** A query's name for the view. Columns are qualified with it, so that ORDER BY does not find an output of the same name. */
const source = quoted("source");

/** Throws for an invalid name. */
export function viewRelation({ view, id, columns, living }: ViewRows): Relation {
  return {
    name: view,
    from: sql`${quotedView(view)} as ${source}`,
    active:
      living === undefined
        ? sql`true`
        : sql`${columnNamed(living.column)} is ${living.isNull ? sql`null` : sql`not null`}`,
    id: columnNamed(id),
    columns: Object.fromEntries(Object.entries(columns).map(([key, given]) => [key, relationColumn(given)])),
  };
}

/** Splits a view's name; the schema is null if the search path decides. */
export function viewNameParts(view: string): { readonly schema: string | null; readonly name: string } {
  const parts = view.split(".");
  return parts.length === 1 ? { schema: null, name: parts[0]! } : { schema: parts[0]!, name: parts.slice(1).join(".") };
}

function relationColumn({ column: name, type, rankedBy, nullable = true }: ViewColumn): Relation["columns"][string] {
  const order =
    rankedBy === undefined ? {} : { order: { expression: columnNamed(rankedBy), type: "integer" as const } };
  return column(asType(columnNamed(name), type), type, { nullable, ...order });
}

/** Enumerations and other text types become text; text itself is not cast, so that indexes serve. Other types are checked before rows are read. */
function asType(expression: SQL, type: ViewColumn["type"]): SQL {
  if (type === "text") return sql`${expression}::text`;
  if (type === "text[]") return sql`${expression}::text[]`;
  return expression;
}

function quotedView(view: string): SQL {
  const { schema, name } = viewNameParts(view);
  return schema === null ? sql`${quoted(name)}` : sql`${quoted(schema)}.${quoted(name)}`;
}

function columnNamed(name: string): SQL {
  return sql`${source}.${quoted(name)}`;
}

/** The catalogue of report types has checked the name. */
function quoted(name: string): SQL.Aliased {
  if (!namePattern.test(name))
    throw new Error(`${JSON.stringify(name)} cannot be the name of a view or of its column.`);
  return sql``.as(name);
}
