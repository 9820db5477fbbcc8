import { sanitiseForeignText } from "@reports/core/base";
import type { TypeProblem, ViewRows } from "@reports/core/report";
import type { Client } from "pg";
import { serverErrorText, isTransient, ServerRefusedError } from "../database/store-error.ts";
import { findColumns, signatureOf, type FoundColumn } from "./view-columns.ts";
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

/** Compares a view with its definition. Returns null if it fits. Rejects if Postgres does not answer. */
export async function findViewProblem(client: Client, rows: ViewRows): Promise<ReportViewProblem | null> {
  const isFunction = rows.parameters !== undefined;
  const view = isFunction ? signatureOf(rows) : rows.view;
  const found = await findColumns(client, rows);
  if (found === null) {
    const what = isFunction ? `The function ${view} that returns a set of records` : view;
    return createProblem("VIEW_MISSING", `${what} does not exist, or its schema may not be used by this role.`);
  }
  const names = namesOf(rows);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) return createProblem("COLUMN_MISSING", `${view} has no column ${missing.join(", ")}.`);
  const hidden = names.filter((name) => !found.get(name)!.readable);
  if (hidden.length > 0) {
    return createProblem(
      "VIEW_NOT_READABLE",
      `This role may not read ${view}: grant ${isFunction ? "execute" : "select"} on it (${hidden.join(", ")}).`,
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

function createProblem(code: ReportViewProblemCode, message: string): ReportViewProblem {
  return { code, message: sanitiseForeignText(message, maxMessageLength) };
}
