import { LRUCache } from "lru-cache";
import type { KeptStatement } from "./kept-statement.ts";

/** A statement for a query, and whether connections are to prepare it. */
export interface CachedStatement<Query> {
  readonly statement: KeptStatement<Query>;
  readonly prepared: boolean;
}

/** Statements by the shape of queries. */
export type StatementCache<Query> = (query: Query) => CachedStatement<Query>;

/** Texts that are kept, in this process alone. */
const maxKept = 500;
/** How many statements a connection may have prepared at once, and how many others it may come to prepare in half an hour. */
const maxPrepared = 50;
/** As long as a connection lives, which closes what it has prepared. */
const windowMs = 30 * 60_000;

/**
 * Keeps the statements of the shapes that were used lately. Callers choose filters and sorts freely, so that there is no end of shapes, and
 * a connection keeps all that it has ever prepared: a shape is prepared from its second use on, and of new ones 50 in half an hour. A
 * connection thus never has more than 150; the others are sent unprepared.
 */
export function createStatementCache<Query>(options: {
  /** The same for queries that differ in values alone. */
  shapeOf(query: Query): string;
  build(query: Query): KeptStatement<Query>;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}): StatementCache<Query> {
  const { shapeOf, build, now = () => performance.now() } = options;
  const kept = new LRUCache<string, KeptStatement<Query>>({ max: maxKept });
  const prepared = new LRUCache<string, true>({ max: maxPrepared });
  let windowEndsAt = 0;
  let newcomers = 0;

  function mayPrepare(shape: string): boolean {
    if (prepared.get(shape) === true) return true;
    const at = now();
    if (at >= windowEndsAt) {
      windowEndsAt = at + windowMs;
      newcomers = 0;
    }
    if (newcomers >= maxPrepared) return false;
    newcomers += 1;
    prepared.set(shape, true);
    return true;
  }

  return (query) => {
    const shape = shapeOf(query);
    const known = kept.get(shape);
    if (known !== undefined) return { statement: known, prepared: mayPrepare(shape) };
    const statement = build(query);
    kept.set(shape, statement);
    return { statement, prepared: prepared.has(shape) };
  };
}
