import { toKeysetAnchor, badCursorError, type CollectionQuery, type KeysetPosition } from "@reports/core/query";
import { and, sql, type SQL } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { toSortTerms } from "./keyset.ts";
import { keysetSql } from "./page-subquery.ts";
import { bindScalar, fromClauseOf, type Relation } from "./relation.ts";

export interface CursorRecordScope {
  readonly relation: Relation;
  readonly within?: SQL | undefined;
  /**
   * SQL condition of the records that the caller may see, for lists whose `within` does not contain it. A cursor of a hidden record fails like a
   * cursor of an unknown record.
   */
  readonly visible?: SQL | undefined;
}

/**
 * Returns the position of a cursor. If the cursor is an anchor, which holds a record's ID and a hash of its position, reads the position from the
 * database. Rejects with DomainError("bad-request") if the record's sort values have changed.
 */
export async function resolveCursorPosition(
  queries: Queries,
  { relation, within, visible }: CursorRecordScope,
  { sort, after }: Pick<CollectionQuery, "sort" | "after">,
): Promise<KeysetPosition | null> {
  if (after === null || !("hash" in after)) return after;
  const from = fromClauseOf(
    relation,
    sort.map(({ key }) => key),
  );
  const where = and(sql`${relation.id} = ${bindScalar(after.id, "uuid")}`, within, visible);
  const [row] = await queries.execute<{ position: string }>(
    sql`select ${keysetSql(toSortTerms(relation, sort))}::text as position from ${from} where ${where}`,
  );
  const position = row === undefined ? null : (JSON.parse(row.position) as KeysetPosition);
  if (position === null || toKeysetAnchor(position).hash !== after.hash) throw badCursorError();
  return position;
}
