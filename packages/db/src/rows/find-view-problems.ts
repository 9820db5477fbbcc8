import { sanitiseUntrustedText } from "@reports/core/base";
import type { ReportTypeDefinition, ReportTypeMismatch, ViewRows } from "@reports/core/report";
import type { Client } from "pg";
import { describePostgresError, isTransientSourceError, ServerRefusedError } from "../database/store-error.ts";
import { findViewColumns, sqlFunctionSignatureOf, type PgCatalogColumn } from "./view-columns.ts";
import { findMismatchedColumns } from "./view-shape.ts";

/** These codes are also values of a metric label, so their number must stay small. */
type ReportViewProblemCode =
  | "SOURCE_NOT_CONFIGURED"
  | "SOURCE_REFUSED"
  | "ENGINE_MISSING"
  | "VIEW_MISSING"
  | "VIEW_NOT_READABLE"
  | "COLUMN_MISSING"
  | "COLUMN_TYPE"
  | "QUERY_REFUSED";

/** One difference between a report type and its source. The message has at most 500 characters and contains no values of rows. */
export interface ReportViewProblem extends ReportTypeMismatch {
  readonly code: ReportViewProblemCode;
}

type CatalogColumns = ReadonlyMap<string, PgCatalogColumn>;

const maxMessageLength = 500;

export async function findViewProblems(client: Client, rows: ViewRows): Promise<readonly ReportViewProblem[]> {
  const isFunction = rows.parameters !== undefined;
  const view = isFunction ? sqlFunctionSignatureOf(rows) : rows.view;
  const found = await findViewColumns(client, rows);
  if (found === null) return [missingView(isFunction ? `The function ${view} that returns a set of records` : view)];
  const problems = accessProblems(view, namesOf(rows), found, isFunction ? "execute" : "select");
  const readable = withReadableColumns(rows, found);
  return readable === null ? problems : [...problems, ...(await findTypeProblems(client, readable, found))];
}

export async function findFilterValuesProblems(
  client: Client,
  { filters }: Pick<ReportTypeDefinition, "filters">,
): Promise<readonly ReportViewProblem[]> {
  const problems: ReportViewProblem[] = [];
  for (const { name, valuesFrom } of filters) {
    if (valuesFrom === undefined) continue;
    const { view, column, title = column } = valuesFrom;
    const rows: ViewRows = {
      kind: "view",
      view,
      id: column,
      columns: { value: { column, type: "text" }, title: { column: title, type: "text" } },
    };
    const found = await findViewProblems(client, rows);
    problems.push(...found.map(({ code, message }) => createProblem(code, `Values of the filter ${name}: ${message}`)));
  }
  return problems;
}

/** Returns the problem of a type whose source answered with an error. Quoting the server is safe, because no rows were read. */
export function toRefusedProblem(error: unknown): ReportViewProblem {
  return error instanceof ServerRefusedError
    ? createProblem("SOURCE_REFUSED", `The database refuses to serve this source. ${describePostgresError(error)}.`)
    : createProblem("QUERY_REFUSED", `The database refuses the view's query: ${describePostgresError(error)}.`);
}

export function combineProblems([first, ...others]: readonly [
  ReportTypeMismatch,
  ...ReportTypeMismatch[],
]): ReportTypeMismatch {
  const messages = [first, ...others].map(({ message }) => message);
  return { code: first.code, message: sanitiseUntrustedText(messages.join(" "), maxMessageLength) };
}

function missingView(what: string): ReportViewProblem {
  return createProblem("VIEW_MISSING", `${what} does not exist, or its schema may not be used by this role.`);
}

function accessProblems(
  view: string,
  names: readonly string[],
  found: CatalogColumns,
  right: "execute" | "select",
): readonly ReportViewProblem[] {
  const missing = names.filter((name) => !found.has(name));
  const hidden = names.filter((name) => found.get(name)?.readable === false);
  return [
    ...missing.map((name) => createProblem("COLUMN_MISSING", `${view} has no column ${name}.`)),
    ...(hidden.length === 0
      ? []
      : [
          createProblem(
            "VIEW_NOT_READABLE",
            `This role may not read ${view}: grant ${right} on it (${hidden.join(", ")}).`,
          ),
        ]),
  ];
}

/** Removes columns that the view lacks or that this role may not read, to compare the others. Returns null if no column or no ID remains. */
function withReadableColumns({ living, ...rows }: ViewRows, found: CatalogColumns): ViewRows | null {
  const isReadable = (name: string): boolean => found.get(name)?.readable === true;
  const columns = Object.entries(rows.columns).flatMap(([key, { rankedBy, ...given }]) =>
    isReadable(given.column)
      ? [[key, { ...given, ...(rankedBy !== undefined && isReadable(rankedBy) && { rankedBy }) }] as const]
      : [],
  );
  const id = [rows.id, ...columns.map(([, { column }]) => column)].find(isReadable);
  if (columns.length === 0 || id === undefined) return null;
  const kept = living !== undefined && isReadable(living.column) ? { living } : {};
  return { ...rows, ...kept, id, columns: Object.fromEntries(columns) };
}

async function findTypeProblems(
  client: Client,
  rows: ViewRows,
  found: CatalogColumns,
): Promise<readonly ReportViewProblem[]> {
  const columns = Object.entries(rows.columns).map(([key, given]) => ({
    ...given,
    key,
    found: found.get(given.column)!,
  }));
  const isOther = ({ type, found: { isText, isTextArray } }: (typeof columns)[number]): boolean =>
    (type === "text" && !isText) || (type === "text[]" && !isTextArray);
  try {
    const others = new Set(await findMismatchedColumns(client, rows));
    return columns
      .filter((column) => isOther(column) || others.has(column.key))
      .map(({ column, type, found: { type: is } }) =>
        createProblem("COLUMN_TYPE", `${rows.view}.${column} is ${is} and not ${type}: cast it in the view.`),
      );
  } catch (error) {
    if (isTransientSourceError(error)) throw error;
    return [toRefusedProblem(error)];
  }
}

function namesOf({ id, columns, living }: ViewRows): readonly string[] {
  const named = Object.values(columns).flatMap(({ column, rankedBy }) => [
    column,
    ...(rankedBy === undefined ? [] : [rankedBy]),
  ]);
  return [...new Set([id, ...named, ...(living === undefined ? [] : [living.column])])];
}

function createProblem(code: ReportViewProblemCode, message: string): ReportViewProblem {
  return { code, message: sanitiseUntrustedText(message, maxMessageLength) };
}
