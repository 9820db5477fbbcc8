import {
  badCursor,
  describeUnknownName,
  invalidQuery,
  parseFilters,
  parseSortKey,
  repeatedParameter,
} from "@reports/core";
import type { CollectionQuery, InputIssue, SearchParam } from "@reports/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { QueryPair } from "../http/query.ts";
import { decodeCursor, instantsOf, type CursorContent, type CursorScope } from "./cursor.ts";
import { filterSchema } from "./filter-schema.ts";
import { defaultLimit, listFields, type ListView } from "./list-fields.ts";

/** The query of one list: how it is described and how it is read, out of the same data. */
export interface ListQuery {
  readonly schema: z.ZodObject;
  /**
   * Reads filters, `sort`, `limit`, `cursor`, `timezone` and `count` of the list under that path. Relative times are meant at `now`, or mean
   * what they meant on the first page. Throws DomainError("bad-request") with every problem.
   */
  read(path: string, pairs: readonly QueryPair[], now: Date): CollectionQuery & { readonly scope: ListScope };
}

/** What the cursor of the next page is made of, beside its position. */
export type ListScope = CursorScope & Pick<CursorContent, "instants">;

/** Describes the query of a list. `name` is what the list is called in the names of its schemas: `Proxies`. docs/contract.md §6.2. */
export function defineListQuery(view: ListView, name: string): ListQuery {
  const fields = listFields(view, name);
  const filters = Object.fromEntries(view.filters.map((filter) => [filter.name, filterSchema(filter).optional()]));
  return {
    schema: z.object({ ...filters, ...fields }),
    read: (path, pairs, now) => readListQuery(view, fields, path, pairs, now),
  };
}

/** The names alone, for the documentation. */
export function listNamesOf({ filters, sortable }: ListView): NonNullable<Endpoint["list"]> {
  return { filters: filters.map(({ name }) => name), sorts: sortable };
}

type Fields = ReturnType<typeof listFields>;

function readListQuery(
  view: ListView,
  fields: Fields,
  path: string,
  pairs: readonly QueryPair[],
  now: Date,
): ReturnType<ListQuery["read"]> {
  const given = Map.groupBy(pairs, ([name]) => name);
  const issues: InputIssue[] = [];
  const single = (name: keyof Fields): string | undefined => {
    const values = given.get(name) ?? [];
    if (values.length > 1) issues.push(repeatedParameter(name, values.length, { isList: name === "sort" }));
    return values[0]?.[1];
  };
  const read = <Value>(name: keyof Fields, field: z.ZodType<Value>): Value | undefined => {
    const parsed = field.safeParse(single(name));
    issues.push(
      ...(parsed.error?.issues ?? []).map(({ message }) =>
        issue(name, "invalid_parameter", message.replace(/[^.]$/, "$&.")),
      ),
    );
    return parsed.data;
  };

  const limit = read("limit", fields.limit) ?? defaultLimit;
  const sort = read("sort", fields.sort)?.map(parseSortKey) ?? view.defaultSort;
  const count = read("count", fields.count) === "exact";
  const timezone = read("timezone", fields.timezone) ?? "UTC";
  const cursor = single("cursor");
  const filterNames = view.filters.map(({ name }) => name);
  const allowed = [...filterNames, ...Object.keys(fields)];
  const filterValues = new Map<string, readonly string[]>();
  for (const [name, values] of given) {
    if (filterNames.includes(name))
      filterValues.set(
        name,
        values.map(([, value]) => value),
      );
    else if (!Object.hasOwn(fields, name))
      issues.push({
        parameter: name,
        code: "unknown_parameter",
        message: describeUnknownName("parameter", name, allowed, issues.length),
      });
  }
  const moment = { now, timezone, instants: cursor === undefined ? {} : instantsOf(cursor) };
  const parsed = parseFilters(view.filters, filterValues, (name) => ({ parameter: name }), moment);
  if (!parsed.ok) issues.push(...parsed.issues);
  const { filters, given: written } = parsed.ok ? parsed : { filters: {}, given: {} };
  const scope = { path, filters: written, sort, timezone };
  const content = cursor === undefined ? null : decodeCursor(cursor, scope);
  // Of other filters than those that are wrong it may well be.
  if (issues.length === 0 && cursor !== undefined && content === null) throw badCursor();
  if (issues.length > 0) throw invalidQuery(issues);
  const after = content?.position ?? null;
  return { filters, sort, limit, after, count, scope: { ...scope, instants: changedIn(filters, written) } };
}

/** The instants of those filters that were given as relative times. */
function changedIn(filters: SearchParam, written: SearchParam): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) =>
      typeof value === "string" && value !== written[name] ? [[name, value]] : [],
    ),
  );
}

function issue(parameter: string, code: string, rest: string): InputIssue {
  return { parameter, code, message: `${parameter} ${rest}` };
}
