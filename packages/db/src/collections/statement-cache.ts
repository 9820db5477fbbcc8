import { LRUCache } from "lru-cache";
import type { StatementTemplate } from "./statement-template.ts";

export interface CachedStatement<Query> {
  readonly statement: StatementTemplate<Query>;
  readonly prepared: boolean;
}

export type StatementCache<Query> = (query: Query) => CachedStatement<Query>;

/** Statements cached per process. */
const maxCached = 500;
/** Statements that a connection may have prepared at the same time, and limit of newly prepared ones per window. */
const maxPrepared = 50;
/** Lifetime of a connection. Its prepared statements end with it. */
const windowMs = 30 * 60_000;

/**
 * Creates a cache of statements by shape. Callers choose filters and sorts freely, and a connection keeps every statement that it has
 * prepared. So a statement is prepared from the second use of its shape on, and at most 50 new ones per half hour. A connection thus has at
 * most 150. Other statements are sent unprepared.
 */
export function createStatementCache<Query>(options: {
  /** Returns the same key for queries that differ only in values. */
  shapeOf(query: Query): string;
  build(query: Query): StatementTemplate<Query>;
  /** Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}): StatementCache<Query> {
  const { shapeOf, build, now = () => performance.now() } = options;
  const cached = new LRUCache<string, StatementTemplate<Query>>({ max: maxCached });
  const prepared = new LRUCache<string, true>({ max: maxPrepared });
  let windowEndsAt = 0;
  let newlyPrepared = 0;

  function mayPrepare(shape: string): boolean {
    if (prepared.get(shape) === true) return true;
    const at = now();
    if (at >= windowEndsAt) {
      windowEndsAt = at + windowMs;
      newlyPrepared = 0;
    }
    if (newlyPrepared >= maxPrepared) return false;
    newlyPrepared += 1;
    prepared.set(shape, true);
    return true;
  }

  return (query) => {
    const shape = shapeOf(query);
    const known = cached.get(shape);
    if (known !== undefined) return { statement: known, prepared: mayPrepare(shape) };
    const statement = build(query);
    cached.set(shape, statement);
    return { statement, prepared: prepared.has(shape) };
  };
}
