import { Empty } from "../parts/notices.tsx";
import { hrefOf, place } from "../shell/place.ts";

/** A list of the register holds nothing: because there is nothing, or because of its filters, which are taken away here. */
export function NoRecords(props: {
  readonly title: string;
  readonly isFiltered: boolean;
  /** Said where nothing is filtered. */
  readonly none: string;
}) {
  const { title, isFiltered, none } = props;
  const path = place.value.path.map(encodeURIComponent).join("/");
  return (
    <Empty title={title}>
      <p>{isFiltered ? "Nothing matches these filters." : none}</p>
      {isFiltered && (
        <a class="button" href={hrefOf(path)}>
          Clear filters
        </a>
      )}
    </Empty>
  );
}
