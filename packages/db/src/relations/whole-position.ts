import { anchorOf, badCursor, type CollectionQuery, type KeysetPosition } from "@reports/core/query";
import { and, sql, type SQL } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { termsOf } from "./keyset.ts";
import { keysetOf } from "./page-statement.ts";
import { bind, fromOf, type Relation } from "./relation.ts";

/** The records that an anchor may name. */
export interface AnchorSource {
  readonly relation: Relation;
  /** What holds of every row of the list. */
  readonly within?: SQL | undefined;
  /** Selects the records that the caller may see, if `within` does not. A forged anchor of another record is refused like an unknown one. */
  readonly visible?: SQL | undefined;
}

/**
 * The position after which a page begins. For an anchor it reads the sort values of the record, a deleted one included, and rejects with
 * DomainError("bad-request") if they are not those at which the page before ended.
 */
export async function wholePosition(
  queries: Queries,
  { relation, within, visible }: AnchorSource,
  { sort, after }: Pick<CollectionQuery, "sort" | "after">,
): Promise<KeysetPosition | null> {
  if (after === null || !("hash" in after)) return after;
  const from = fromOf(
    relation,
    sort.map(({ key }) => key),
  );
  const where = and(sql`${relation.id} = ${bind(after.id, "uuid")}`, within, visible);
  const [row] = await queries.execute<{ position: string }>(
    sql`select ${keysetOf(termsOf(relation, sort))}::text as position from ${from} where ${where}`,
  );
  const position = row === undefined ? null : (JSON.parse(row.position) as KeysetPosition);
  if (position === null || anchorOf(position).hash !== after.hash) throw badCursor();
  return position;
}
