import type { ComponentChildren } from "preact";
import { changeRouteQuery, route } from "../shell/route.ts";

export function SortHead(props: {
  readonly by: string;
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const { by, children } = props;
  const sort = route.value.query.get("sort");
  const isUp = sort === by;
  const isDown = sort === `-${by}`;
  return (
    <th scope="col" class={props.class} aria-sort={isUp ? "ascending" : isDown ? "descending" : undefined}>
      <button
        type="button"
        class="sort"
        onClick={() => changeRouteQuery({ sort: isDown ? [] : [isUp ? `-${by}` : by], rows: [] })}
      >
        {children}
        <span class={isUp || isDown ? "" : "muted"} aria-hidden="true">
          {isUp ? "↑" : isDown ? "↓" : "↕"}
        </span>
      </button>
    </th>
  );
}
