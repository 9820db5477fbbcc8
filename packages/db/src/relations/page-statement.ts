import { sql, type SQL } from "drizzle-orm";
import { segmentOrder, type Term } from "./keyset.ts";
import { bindAll, type ScalarType } from "./relation.ts";

/** A condition that splits a list: the rows in which the expression, of that type, is one of the values. */
export interface ListPart {
  readonly expression: SQL;
  readonly type: ScalarType;
  /** At least one; without repeats. */
  readonly values: readonly string[];
}

/** What stands on a page. */
export interface PageRequest {
  readonly from: SQL;
  readonly where: SQL | undefined;
  readonly parts: readonly ListPart[];
  readonly terms: readonly Term[];
  /** In the order in which they follow one another. */
  readonly segments: readonly (SQL | undefined)[];
  readonly limit: number;
}

/** The ids of a page and what they are sorted by, for a join with the table of whole rows. */
export interface PageStatement {
  /** `(select …) page`. */
  readonly page: SQL;
  readonly id: SQL;
  readonly orderBy: SQL;
  /** The values of the sort of each row, as text, in the order in which a position holds them. */
  readonly keyset: SQL<(string | null)[]>;
}

/**
 * One statement for a page, so that all of it is of one moment. Segments are ends of one `union all`. Parts are looked up one by one, each
 * from where its page begins in the index that leads with it: however rare a combination is, no row of another one is read. What
 * is read is `limit` rows a part and segment at most.
 */
export function pageStatement({ from, where, parts, terms, segments, limit }: PageRequest): PageStatement {
  // In the text and not bound: a plan that is kept for all values has to know how few rows are wanted.
  const most = wholeNumber(limit);
  const keys = terms.map((term, index) => ({ ...term, expression: sql`page.${named(`key_${index}`)}` }));
  const outputs = terms.map(({ expression }, index) => sql`${expression} as ${named(`key_${index}`)}`);
  const values = parts.map((_, index) => sql`${named(`part_${index}`)}.value`);
  const conditions = [
    ...(where === undefined ? [] : [where]),
    ...parts.map(({ expression }, index) => sql`${expression} = ${values[index]!}`),
  ];
  const branches = segments.map((segment, index) => {
    const whole = segment === undefined ? conditions : [...conditions, segment];
    const rows = sql`select ${wholeNumber(index)}::integer as segment, ${sql.join(outputs, sql`, `)} from ${from}
      where ${sql.join(whole, sql` and `)} order by ${segmentOrder(terms)} limit ${most}`;
    if (parts.length === 0) return sql`(${rows})`;
    const each = parts.map(
      (part, at) => sql`unnest(${bindAll(part.values, part.type)}) as ${named(`part_${at}`)}(value)`,
    );
    return sql`(select found.* from ${sql.join(each, sql` cross join `)} cross join lateral (${rows}) found)`;
  });
  const orderBy = sql`page.segment, ${segmentOrder(keys)}`;
  const keyset = keysetOf(keys);
  const page = sql`(select * from (${sql.join(branches, sql` union all `)}) page order by ${orderBy} limit ${most}) page`;
  return { page, id: keys.at(-1)!.expression, orderBy, keyset };
}

/** The values of a row by which a list is sorted, as text. */
export function keysetOf(terms: readonly Pick<Term, "expression">[]): SQL<(string | null)[]> {
  // Not an array: postgres.js reads the nulls of one as the text "NULL".
  return sql<(string | null)[]>`json_build_array(${sql.join(
    terms.map(({ expression }) => sql`(${expression})::text`),
    sql`, `,
  )})`;
}

/** A number as text of the statement. */
function wholeNumber(value: number): SQL {
  if (!Number.isSafeInteger(value)) throw new Error("Only whole numbers are written into statements.");
  // oxlint-disable-next-line no-restricted-properties -- digits need no quotes
  return sql.raw(String(value));
}

/** A quoted name of our own making. */
function named(name: string): SQL.Aliased {
  return sql``.as(name);
}
