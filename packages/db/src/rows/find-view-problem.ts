import { sanitiseForeignText } from "@reports/core/base";
import type { TypeProblem, ViewRows } from "@reports/core/report";
import type { Client } from "pg";
import { readTexts } from "../database/pg-connection.ts";
import { serverErrorText, isTransient, ServerRefusedError } from "../database/store-error.ts";
import { viewNameParts } from "../relations/view-relation.ts";
import { findMismatchedColumns } from "./view-shape.ts";

/** Codes that are also values of a metric label. */
type ReportViewProblemCode =
  | "SOURCE_NOT_CONFIGURED"
  | "SOURCE_REFUSED"
  | "ENGINE_MISSING"
  | "VIEW_MISSING"
  | "VIEW_NOT_READABLE"
  | "COLUMN_MISSING"
  | "COLUMN_TYPE"
  | "QUERY_REFUSED";

/** Why a report type does not fit its view. The message has at most 500 characters and contains no values of rows. */
export interface ReportViewProblem extends TypeProblem {
  readonly code: ReportViewProblemCode;
}

const maxMessageLength = 500;

interface FoundColumn {
  /** The type's name as SQL writes it. */
  readonly type: string;
  /** Whether the column is text, an enumeration or a domain over either. */
  readonly isText: boolean;
  readonly isTextArray: boolean;
  readonly readable: boolean;
}

/** Compares a view with its definition. Returns null if it fits. Rejects if Postgres does not answer. */
export async function findViewProblem(client: Client, rows: ViewRows): Promise<ReportViewProblem | null> {
  const { view } = rows;
  const found = await findView(client, view);
  if (found === null)
    return createProblem("VIEW_MISSING", `${view} does not exist, or its schema may not be used by this role.`);
  const names = namesOf(rows);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) return createProblem("COLUMN_MISSING", `${view} has no column ${missing.join(", ")}.`);
  const hidden = names.filter((name) => !found.get(name)!.readable);
  if (hidden.length > 0) {
    return createProblem(
      "VIEW_NOT_READABLE",
      `This role may not read ${view}: grant select on it (${hidden.join(", ")}).`,
    );
  }
  return findTypeProblem(client, rows, found);
}

/** Makes the problem of a type whose source answered with an error. It quotes the server's message. No rows were read, so the message contains no values of rows. */
export function refusedProblem(error: unknown): ReportViewProblem {
  return error instanceof ServerRefusedError
    ? createProblem("SOURCE_REFUSED", `The database refuses to serve this source. ${serverErrorText(error)}.`)
    : createProblem("QUERY_REFUSED", `The database refuses the view's query: ${serverErrorText(error)}.`);
}

async function findTypeProblem(
  client: Client,
  rows: ViewRows,
  found: ReadonlyMap<string, FoundColumn>,
): Promise<ReportViewProblem | null> {
  const columns = Object.entries(rows.columns).map(([key, given]) => ({
    ...given,
    key,
    found: found.get(given.column)!,
  }));
  const isOther = ({ type, found: { isText, isTextArray } }: (typeof columns)[number]): boolean =>
    (type === "text" && !isText) || (type === "text[]" && !isTextArray);
  try {
    const others = new Set(await findMismatchedColumns(client, rows));
    const wrong = columns.filter((column) => isOther(column) || others.has(column.key));
    if (wrong.length === 0) return null;
    const differences = wrong.map(({ column, type, found: { type: is } }) => `${column} is ${is} and not ${type}`);
    return createProblem("COLUMN_TYPE", `In ${rows.view} ${differences.join(", ")}. Cast it in the view.`);
  } catch (error) {
    if (isTransient(error)) throw error;
    return refusedProblem(error);
  }
}

/** Returns each column of the view that the definition names, once. */
function namesOf({ id, columns, living }: ViewRows): readonly string[] {
  const named = Object.values(columns).flatMap(({ column, rankedBy }) => [
    column,
    ...(rankedBy === undefined ? [] : [rankedBy]),
  ]);
  return [...new Set([id, ...named, ...(living === undefined ? [] : [living.column])])];
}

/** Reads the columns of a table, partitioned table, view, materialised view or foreign table. Returns null if it does not exist or this role may not use its schema. */
async function findView(client: Client, view: string): Promise<ReadonlyMap<string, FoundColumn> | null> {
  const { schema, name } = viewNameParts(view);
  const rows = await readTexts(client, {
    text: `
      select a.attname, format_type(a.atttypid, a.atttypmod), t.typcategory in ('S', 'E'),
        t.typcategory = 'A' and e.typcategory in ('S', 'E'), has_column_privilege(c.oid, a.attnum, 'select')
      from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join pg_type t on t.oid = a.atttypid
        left join pg_type e on e.oid = t.typelem
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname = $1
        and case when $2 = '' then pg_table_is_visible(c.oid) else n.nspname = $2 end
        and has_schema_privilege(n.oid, 'usage')`,
    values: [name, schema ?? ""],
  });
  if (rows.length === 0) return null;
  return new Map(
    rows.map(([column, type, isText, isTextArray, readable]) => [
      column!,
      { type: type!, isText: isText === "t", isTextArray: isTextArray === "t", readable: readable === "t" },
    ]),
  );
}

function createProblem(code: ReportViewProblemCode, message: string): ReportViewProblem {
  return { code, message: sanitiseForeignText(message, maxMessageLength) };
}
