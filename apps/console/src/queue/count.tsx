import { countText } from "../parts/text.ts";

/** Counts of a lane end here: docs/reference/resources/lanes-and-workers.md#endpoints. */
const mostCounted = 2_000;
/** How many there are. Where rows are cards, the name says of what. */
export function Count({ of, count }: { readonly of: string; readonly count: number }) {
  return (
    <td class="number" data-name={count === 1 && of === "workers" ? "worker" : of}>
      {countText(count)}
      {count >= mostCounted && of !== "workers" ? " or more" : ""}
    </td>
  );
}
