import type { Page as ListPage } from "@reports/client";
import { countText } from "../parts/text.ts";
import { changeQuery } from "../shell/place.ts";
import { mostRows } from "./register-list.ts";

/** How many of how many are in sight, and the way to more of them. */
export function BelowList({ page, size }: { readonly page: ListPage<unknown>; readonly size: number }) {
  const { items, total, totalAtLeast } = page;
  const isFull = items.length === size;
  const all = total === null ? `more than ${countText((totalAtLeast ?? items.length + 1) - 1)}` : countText(total);
  return (
    <div class="below">
      <span>{isFull && total !== items.length ? `The first ${items.length} of ${all}` : `${items.length} in all`}</span>
      {isFull && total !== items.length && (
        <span class="buttons">
          {size < mostRows ? (
            <button type="button" class="quiet" onClick={() => changeQuery({ rows: [String(mostRows)] })}>
              Show more
            </button>
          ) : (
            "A report has them all."
          )}
        </span>
      )}
    </div>
  );
}
