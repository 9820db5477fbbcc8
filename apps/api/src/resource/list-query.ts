import {
  describeUnknownName,
  invalidInput,
  maxExactCount,
  parseFilters,
  suggestName,
  type CollectionQuery,
  type Filter,
  type InputIssue,
  type SortKey,
} from "@reports/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { QueryPair } from "../http/query.ts";
import { decodeCursor, type CursorScope } from "./cursor.ts";
import { filterSchema } from "./filter-schema.ts";

/** What may stand in the query of a list. */
export interface ListView {
  readonly filters: readonly Filter[];
  readonly sortable: readonly string[];
  readonly defaultSort: readonly SortKey[];
}

const defaultLimit = 50;
const maxLimit = 200;
const maxSortKeys = 5;
const listNames = ["limit", "cursor", "sort", "count"] as const;

/** Reads the query of a list: filters, `sort`, `limit`, `cursor`, `count`. Throws DomainError("bad-request") with every problem. docs/contract.md §6.2. */
export function parseListQuery(
  view: ListView,
  path: string,
  pairs: readonly QueryPair[],
): CollectionQuery & { readonly scope: CursorScope } {
  const given = Map.groupBy(pairs, ([name]) => name);
  const issues: InputIssue[] = [];
  const single = (name: (typeof listNames)[number]): string | undefined => {
    const values = given.get(name) ?? [];
    if (values.length > 1)
      issues.push(issue(name, "repeated_parameter", "takes one value and was given several times."));
    return values[0]?.[1];
  };

  const limit = readLimit(single("limit"), issues);
  const sort = readSort(view, single("sort"), issues);
  const count = single("count");
  if (count !== undefined && count !== "exact") issues.push(issue("count", "invalid_parameter", "must be exact."));
  const filterNames = view.filters.map(({ name }) => name);
  const filterValues = new Map<string, readonly string[]>();
  for (const [name, values] of given) {
    if (filterNames.includes(name))
      filterValues.set(
        name,
        values.map(([, value]) => value),
      );
    else if (!(listNames as readonly string[]).includes(name))
      issues.push({
        parameter: name,
        code: "unknown_parameter",
        message: describeUnknownName("parameter", name, [...filterNames, ...listNames], issues.length),
      });
  }
  const parsed = parseFilters(view.filters, filterValues, (name) => ({ parameter: name }));
  if (!parsed.ok) issues.push(...parsed.issues);
  const scope = { path, filters: parsed.ok ? parsed.filters : {}, sort };
  const cursor = single("cursor");
  const after = cursor === undefined ? null : decodeCursor(cursor, scope);
  if (issues.length === 0 && cursor !== undefined && after === null)
    issues.push(
      issue("cursor", "bad_cursor", "is not one of this list with these filters and this sort. Begin without one."),
    );
  if (issues.length > 0) throw invalidInput("bad-request", "invalid-parameters", "The query is not valid", issues);
  return { filters: scope.filters, sort, limit, after, count: count === "exact", scope };
}

/** The same as a schema, for the documentation. `name` is what the list is called in the names of its schemas: `Proxies`. */
export function listQuerySchema({ filters, sortable, defaultSort }: ListView, name: string) {
  return z.object({
    ...Object.fromEntries(filters.map((filter) => [filter.name, filterSchema(filter).optional()])),
    limit: z
      .int()
      .min(1)
      .max(maxLimit)
      .optional()
      .meta({ description: `How many at most; ${defaultLimit} by default.` }),
    cursor: z.string().min(1).optional().meta({
      description: "Where the page begins: taken from the Link of the page before, with the same filters and sort.",
    }),
    sort: z
      .array(sortKeySchema(sortable).meta({ id: `${name}Sort`, description: "A field; - in front for descending." }))
      .min(1)
      .max(maxSortKeys)
      .optional()
      .meta({
        description: `Fields to sort by, separated by commas; ${writeSort(defaultSort)} by default. Records without a value come last in both directions.`,
        uniqueItems: true,
        explode: false,
      }),
    count: z
      .literal("exact")
      .optional()
      .meta({
        description: `X-Total-Count then says how many there are in all; X-Total-Count-At-Least does instead, where there are more than ${maxExactCount.toLocaleString("en-US")}.`,
      }),
  });
}

/** Keys to sort by in both directions, for the documentation. */
export function sortKeySchema(sortable: readonly string[]) {
  return z.enum(sortable.flatMap((key) => [key, `-${key}`]));
}

/** The names alone, for the documentation. */
export function listNamesOf({ filters, sortable }: ListView): NonNullable<Endpoint["list"]> {
  return { filters: filters.map(({ name }) => name), sorts: sortable };
}

function readLimit(text: string | undefined, issues: InputIssue[]): number {
  if (text === undefined) return defaultLimit;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > maxLimit)
    issues.push(issue("limit", "invalid_parameter", `must be a whole number from 1 to ${maxLimit}.`));
  return limit;
}

function readSort(
  { sortable, defaultSort }: ListView,
  text: string | undefined,
  issues: InputIssue[],
): readonly SortKey[] {
  if (text === undefined) return defaultSort;
  const keys = text.split(",").map((part) => {
    const descending = part.startsWith("-");
    return { key: descending ? part.slice(1) : part, descending };
  });
  if (keys.length > maxSortKeys) {
    const rest = `takes at most ${maxSortKeys} fields, and ${keys.length.toLocaleString("en-US")} were given.`;
    issues.push(issue("sort", "invalid_parameter", rest));
    return keys;
  }
  for (const { key } of keys) {
    if (!sortable.includes(key))
      issues.push(
        issue(
          "sort",
          "invalid_parameter",
          `has no field ${JSON.stringify(key.slice(0, 60))}. ${suggestName(key, sortable)}`,
        ),
      );
  }
  if (new Set(keys.map(({ key }) => key)).size < keys.length)
    issues.push(issue("sort", "invalid_parameter", "names a field twice."));
  return keys;
}

function writeSort(sort: readonly SortKey[]): string {
  return sort.map(({ key, descending }) => (descending ? `-${key}` : key)).join(",");
}

function issue(parameter: string, code: string, rest: string): InputIssue {
  return { parameter, code, message: `${parameter} ${rest}` };
}
