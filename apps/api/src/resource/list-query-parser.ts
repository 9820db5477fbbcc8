import {
  badCursorError,
  dependsOnTimezone,
  describeUnknownName,
  invalidQueryError,
  parseFilters,
  parseSortKey,
  repeatedParameterIssue,
  type CollectionQuery,
  type SearchParam,
  type SortKey,
} from "@reports/core/query";
import { isDeepEqual, type InputIssue } from "@reports/core/base";
import { z } from "zod";
import type { QueryPair } from "../http/query.ts";
import { decodeCursor, type CursorQuery, type CursorScope } from "./cursor.ts";
import { filterSchema } from "./filter-schema.ts";
import {
  defaultPageLimit,
  createListQueryFields,
  formatSortKey,
  type ListQueryDefinition,
} from "./create-list-query-fields.ts";

export interface ListQueryParser {
  readonly schema: z.ZodObject;
  /**
   * Reads filters, `sort`, `limit`, `cursor`, `timezone` and `count` of a query. A cursor contains the query of the first page. Other parameters
   * must then equal that query, except `limit` and `count`. On the first page, relative times are resolved at `now`; later pages reuse the
   * result. Throws DomainError("bad-request") with every problem.
   */
  read(path: string, pairs: readonly QueryPair[], now: Date): CollectionQuery & { readonly scope: CursorScope };
}

/** Defines the query parameters of a list and their parser. `name` is the prefix of component names, such as `Proxies`. docs/reference/http.md#lists. */
export function defineListQuery(view: ListQueryDefinition, name: string): ListQueryParser {
  const fields = createListQueryFields(view, name);
  const filters = Object.fromEntries(view.filters.map((filter) => [filter.name, filterSchema(filter).optional()]));
  return {
    schema: z.object({ ...filters, ...fields }),
    read: (path, pairs, now) => readListQuery({ view, fields }, path, pairs, now),
  };
}

type ListFields = ReturnType<typeof createListQueryFields>;

interface Reader {
  readonly view: ListQueryDefinition;
  readonly fields: ListFields;
}

type Raw = ReadonlyMap<string, readonly string[]>;

interface Parsed {
  readonly filters: SearchParam;
  readonly written: SearchParam;
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly count: boolean;
  readonly timezone: string;
  readonly issues: readonly InputIssue[];
}

function readListQuery(
  reader: Reader,
  path: string,
  pairs: readonly QueryPair[],
  now: Date,
): ReturnType<ListQueryParser["read"]> {
  const given: Raw = new Map(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, values]) => [name, values.map(([, value]) => value)]),
  );
  const cursor = given.get("cursor")?.[0];
  const content = cursor === undefined ? null : readCursor(reader, cursor, path, now);
  const times = { now, instants: content?.instants ?? {} };
  const found = parse(reader, new Map([...(content?.given ?? []), ...given]), times);
  // Problems of filters are reported before a cursor is compared with these filters.
  if (found.issues.length > 0) throw invalidQueryError(found.issues);
  if (cursor !== undefined && (content === null || !agreesWithCursor(content.read, found, given)))
    throw badCursorError();
  const { filters, sort, limit, count } = found;
  const after = content?.position ?? null;
  return { filters, sort, limit, after, count, scope: nextPageScope(reader, path, found) };
}

function readCursor(reader: Reader, cursor: string, path: string, now: Date) {
  const content = decodeCursor(cursor, path);
  if (content === null) return null;
  const { query, position, instants } = content;
  const given: Raw = new Map(Object.entries(query).map(([name, value]) => [name, [value].flat()]));
  const found = parse(reader, given, { now, instants });
  return found.issues.length > 0 ? null : { given, read: found, position, instants };
}

/** Reports whether the parameters of a request equal the query in its cursor. The time zone must be equal only if a relative time depends on it. */
function agreesWithCursor(carried: Parsed, found: Parsed, given: Raw): boolean {
  return (
    isDeepEqual(carried.written, found.written) &&
    isDeepEqual(carried.sort, found.sort) &&
    (!given.has("timezone") || carried.timezone === found.timezone || !dependsOnTimeZone(carried))
  );
}

function parse({ view, fields }: Reader, given: Raw, times: { now: Date; instants: CursorScope["instants"] }): Parsed {
  const issues: InputIssue[] = [];
  const single = (name: keyof ListFields): string | undefined => {
    const values = given.get(name) ?? [];
    if (values.length > 1) issues.push(repeatedParameterIssue(name, values.length, { isList: name === "sort" }));
    return values[0];
  };
  const readField = <Value>(name: keyof ListFields, field: z.ZodType<Value>): Value | undefined => {
    const parsed = field.safeParse(single(name));
    issues.push(
      ...(parsed.error?.issues ?? []).map(({ message }) => ({
        parameter: name,
        code: "invalid_parameter",
        message: `${name} ${message.replace(/[^.]$/, "$&.")}`,
      })),
    );
    return parsed.data;
  };

  const limit = readField("limit", fields.limit) ?? defaultPageLimit;
  const sort = readField("sort", fields.sort)?.map(parseSortKey) ?? view.defaultSort;
  const count = readField("count", fields.count) === "exact";
  const timezone = readField("timezone", fields.timezone) ?? "UTC";
  single("cursor");
  const filterNames = view.filters.map(({ name }) => name);
  const allowed = [...filterNames, ...Object.keys(fields)];
  const filterValues = new Map<string, readonly string[]>();
  for (const [name, values] of given) {
    if (filterNames.includes(name)) filterValues.set(name, values);
    else if (!Object.hasOwn(fields, name))
      issues.push({
        parameter: name,
        code: "unknown_parameter",
        message: describeUnknownName("parameter", name, allowed, issues.length),
      });
  }
  const parsed = parseFilters(view.filters, filterValues, (name) => ({ parameter: name }), { ...times, timezone });
  if (!parsed.ok) issues.push(...parsed.issues);
  const { filters, given: written } = parsed.ok ? parsed : { filters: {}, given: {} };
  return { filters, written, sort, limit, count, timezone, issues };
}

function nextPageScope({ view }: Reader, path: string, found: Parsed): CursorScope {
  const { written, sort, limit, count, timezone } = found;
  const query: CursorQuery = {
    ...Object.fromEntries(
      Object.entries(written).map(([name, value]) => [
        name,
        typeof value === "object" ? value.map(String) : `${value}`,
      ]),
    ),
    ...(isDeepEqual(sort, view.defaultSort) ? {} : { sort: sort.map(formatSortKey).join(",") }),
    ...(limit === defaultPageLimit ? {} : { limit: String(limit) }),
    ...(count ? { count: "exact" } : {}),
    ...(dependsOnTimeZone(found) ? { timezone } : {}),
  };
  return { path, query, instants: Object.fromEntries(relativeTimesOf(found)) };
}

function dependsOnTimeZone(found: Parsed): boolean {
  return relativeTimesOf(found).some(([name]) => dependsOnTimezone(String(found.written[name])));
}

function relativeTimesOf({ filters, written }: Parsed): readonly (readonly [name: string, instant: string])[] {
  return Object.entries(filters).flatMap(([name, value]) =>
    typeof value === "string" && value !== written[name] ? [[name, value] as const] : [],
  );
}
