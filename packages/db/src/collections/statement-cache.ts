import { LRUCache } from "lru-cache";
import type { StatementTemplate } from "./statement-template.ts";

export interface CachedStatement<Query> {
  readonly statement: StatementTemplate<Query>;
  readonly prepared: boolean;
}

export type StatementCache<Query> = (query: Query) => CachedStatement<Query>;

const maxCached = 500;
const maxPrepared = 50;
/**
 * Period in ms in which at most `maxPrepared` more statements are prepared. It is the lifetime of a database connection, at whose end Postgres
 * drops its prepared statements.
 */
const windowMs = 30 * 60_000;

/**
 * Creates a cache of statements by shape. Callers choose filters and sorts freely, and a connection keeps each prepared statement until it
 * closes. So the cache has a statement prepared only from its second use on, and at most 50 new ones per half hour. A connection lives for half
 * an hour. So it keeps at most 150 per cache: 50 older ones, and the new ones of two periods. Other statements are sent unprepared.
 */
export function createStatementCache<Query>(options: {
  shapeOf(query: Query): string;
  build(query: Query): StatementTemplate<Query>;
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
