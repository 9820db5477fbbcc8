import { LRUCache } from "lru-cache";
import type { StatementTemplate } from "./statement-template.ts";

export interface CachedStatement<Query> {
  readonly statement: StatementTemplate<Query>;
  readonly prepared: boolean;
}

export type StatementCache<Query> = (query: Query) => CachedStatement<Query>;

/** Per process. */
const maxCached = 500;
/** Statements that a connection prepares at most at the same time, and new ones per window. */
const maxPrepared = 50;
/** A connection's lifetime, at whose end its prepared statements go. */
const windowMs = 30 * 60_000;

/**
 * Caches the statements of recently used shapes. Callers choose filters and sorts freely, and a connection keeps everything it has
 * prepared. So a shape is prepared from its second use on, and at most 50 new ones per half hour: a connection has at most 150. Others are
 * sent unprepared.
 */
export function createStatementCache<Query>(options: {
  /** Equal for queries that differ only in values. */
  shapeOf(query: Query): string;
  build(query: Query): StatementTemplate<Query>;
  /** Monotonic milliseconds. */
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
