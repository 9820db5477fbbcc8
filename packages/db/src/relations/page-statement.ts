import { sql, type SQL } from "drizzle-orm";
import { segmentOrder, type Term } from "./keyset.ts";
import { bindAll, type ScalarType } from "./relation.ts";

/** A condition that divides a list into parts: the expression equals one of the values. Each value is one part. */
export interface ListPart {
  readonly expression: SQL;
  readonly type: ScalarType;
  /** At least one value, without duplicates. */
  readonly values: readonly string[];
}

export interface PageRequest {
  readonly from: SQL;
  readonly where: SQL | undefined;
  readonly parts: readonly ListPart[];
  readonly terms: readonly Term[];
  /** Conditions of the segments, in order. Undefined stands for all rows. */
  readonly segments: readonly (SQL | undefined)[];
  readonly limit: number;
}

/** The IDs and sort values of a page, to be joined with the complete rows. */
export interface PageStatement {
  /** The subquery `(select …) page`. */
  readonly page: SQL;
  readonly id: SQL;
  readonly orderBy: SQL;
  /** The sort values of each row as texts, in the order of a position. */
  readonly keyset: SQL<(string | null)[]>;
}

/**
 * Returns one statement per page, so that the page shows a single moment. Segments are branches of a `union all`. Each part is read from
 * the page's start in the index that starts with it, so that rare combinations read no other rows. Reads at most `limit` rows per part and
 * segment.
 */
export function pageStatement({ from, where, parts, terms, segments, limit }: PageRequest): PageStatement {
  // Written into the SQL text, because the plan depends on how few rows are needed.
  const maxRows = inlineWholeNumber(limit);
  const keys = terms.map((term, index) => ({ ...term, expression: sql`page.${aliasOf(`key_${index}`)}` }));
  const outputs = terms.map(({ expression }, index) => sql`${expression} as ${aliasOf(`key_${index}`)}`);
  const values = parts.map((_, index) => sql`${aliasOf(`part_${index}`)}.value`);
  const conditions = [
    ...(where === undefined ? [] : [where]),
    ...parts.map(({ expression }, index) => sql`${expression} = ${values[index]!}`),
  ];
  const branches = segments.map((segment, index) => {
    const whole = segment === undefined ? conditions : [...conditions, segment];
    const rows = sql`select ${inlineWholeNumber(index)}::integer as segment, ${sql.join(outputs, sql`, `)} from ${from}
      where ${sql.join(whole, sql` and `)} order by ${segmentOrder(terms)} limit ${maxRows}`;
    if (parts.length === 0) return sql`(${rows})`;
    const each = parts.map(
      (part, at) => sql`unnest(${bindAll(part.values, part.type)}) as ${aliasOf(`part_${at}`)}(value)`,
    );
    return sql`(select found.* from ${sql.join(each, sql` cross join `)} cross join lateral (${rows}) found)`;
  });
  const orderBy = sql`page.segment, ${segmentOrder(keys)}`;
  const keyset = keysetOf(keys);
  const page = sql`(select * from (${sql.join(branches, sql` union all `)}) page order by ${orderBy} limit ${maxRows}) page`;
  return { page, id: keys.at(-1)!.expression, orderBy, keyset };
}

export function keysetOf(terms: readonly Pick<Term, "expression">[]): SQL<(string | null)[]> {
  // JSON instead of an array, because postgres.js reads a null in an array as the text "NULL".
  return sql<(string | null)[]>`json_build_array(${sql.join(
    terms.map(({ expression }) => sql`(${expression})::text`),
    sql`, `,
  )})`;
}

function inlineWholeNumber(value: number): SQL {
  if (!Number.isSafeInteger(value)) throw new Error("Only whole numbers can be written into a statement.");
  // oxlint-disable-next-line no-restricted-properties -- digits need no quotes
  return sql.raw(String(value));
}

function aliasOf(name: string): SQL.Aliased {
  return sql``.as(name);
}
