import { sql, type SQL } from "drizzle-orm";
import { segmentOrder, type Term } from "./keyset.ts";
import { bindAll, type ScalarType } from "./relation.ts";

/** Splits a list: rows in which the expression is one of the values. */
export interface ListPart {
  readonly expression: SQL;
  readonly type: ScalarType;
  /** At least one; without repeats. */
  readonly values: readonly string[];
}

export interface PageRequest {
  readonly from: SQL;
  readonly where: SQL | undefined;
  readonly parts: readonly ListPart[];
  readonly terms: readonly Term[];
  /** In order. */
  readonly segments: readonly (SQL | undefined)[];
  readonly limit: number;
}

/** A page's IDs and sort values, to be joined with the whole rows. */
export interface PageStatement {
  /** `(select …) page`. */
  readonly page: SQL;
  readonly id: SQL;
  readonly orderBy: SQL;
  /** Each row's sort values as text, in a position's order. */
  readonly keyset: SQL<(string | null)[]>;
}

/**
 * One statement per page, so that it shows one moment. Segments are branches of a `union all`. Each part is read separately, from the
 * page's start in the index that leads with it: rare combinations read no other rows. Reads at maxRows `limit` rows per part and segment.
 */
export function pageStatement({ from, where, parts, terms, segments, limit }: PageRequest): PageStatement {
  // Not bound, because a cached plan must know how few rows are wanted.
  const maxRows = wholeNumber(limit);
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
      where ${sql.join(whole, sql` and `)} order by ${segmentOrder(terms)} limit ${maxRows}`;
    if (parts.length === 0) return sql`(${rows})`;
    const each = parts.map(
      (part, at) => sql`unnest(${bindAll(part.values, part.type)}) as ${named(`part_${at}`)}(value)`,
    );
    return sql`(select found.* from ${sql.join(each, sql` cross join `)} cross join lateral (${rows}) found)`;
  });
  const orderBy = sql`page.segment, ${segmentOrder(keys)}`;
  const keyset = keysetOf(keys);
  const page = sql`(select * from (${sql.join(branches, sql` union all `)}) page order by ${orderBy} limit ${maxRows}) page`;
  return { page, id: keys.at(-1)!.expression, orderBy, keyset };
}

export function keysetOf(terms: readonly Pick<Term, "expression">[]): SQL<(string | null)[]> {
  // Not an array: postgres.js reads its nulls as the text "NULL".
  return sql<(string | null)[]>`json_build_array(${sql.join(
    terms.map(({ expression }) => sql`(${expression})::text`),
    sql`, `,
  )})`;
}

function wholeNumber(value: number): SQL {
  if (!Number.isSafeInteger(value)) throw new Error("Only whole numbers are written into statements.");
  // oxlint-disable-next-line no-restricted-properties -- digits need no quotes
  return sql.raw(String(value));
}

function named(name: string): SQL.Aliased {
  return sql``.as(name);
}
