import type { Page as ListPage } from "@reports/client";
import { formatCount } from "../parts/text.ts";
import { changeRouteQuery } from "../shell/route.ts";
import { maxListRows } from "../parts/row-count.ts";

export function ListFooter(props: {
  readonly page: ListPage<unknown>;
  readonly size: number;
  readonly words: readonly [one: string, several: string];
}) {
  const { page, size, words } = props;
  const { items, total, totalAtLeast } = page;
  const isFull = items.length === size;
  const all = total === null ? `more than ${formatCount((totalAtLeast ?? items.length + 1) - 1)}` : formatCount(total);
  return (
    <div class="below">
      <span>
        {isFull && total !== items.length
          ? `The first ${items.length} of ${all}`
          : `${items.length} ${words[items.length === 1 ? 0 : 1]}`}
      </span>
      {isFull && total !== items.length && (
        <span class="buttons">
          {size < maxListRows ? (
            <button type="button" class="quiet" onClick={() => changeRouteQuery({ rows: [String(maxListRows)] })}>
              Show more
            </button>
          ) : (
            "Run a report to get them all."
          )}
        </span>
      )}
    </div>
  );
}
