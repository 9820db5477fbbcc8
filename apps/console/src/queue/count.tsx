import { countText } from "../parts/text.ts";

/** Counts of a lane end here: docs/reference/resources/lanes-and-workers.md#endpoints. */
const mostCounted = 2_000;
/** `of` names what is counted where rows are cards. */
export function Count({ of, count }: { readonly of: string; readonly count: number }) {
  return (
    <td class="number" data-name={count === 1 && of === "workers" ? "worker" : of}>
      {countText(count)}
      {count >= mostCounted && of !== "workers" ? " or more" : ""}
    </td>
  );
}
