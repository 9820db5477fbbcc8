import { EmptyState } from "../parts/notices.tsx";
import { buildHref, route } from "../shell/route.ts";

export function NoRecords(props: { readonly title: string; readonly isFiltered: boolean; readonly none: string }) {
  const { title, isFiltered, none } = props;
  const path = route.value.path.map(encodeURIComponent).join("/");
  return (
    <EmptyState title={title}>
      <p>{isFiltered ? "Nothing matches these filters." : none}</p>
      {isFiltered && (
        <a class="button" href={buildHref(path)}>
          Clear filters
        </a>
      )}
    </EmptyState>
  );
}
