import type { ReportType } from "@reports/client";
import { formatSortTitle } from "../parts/format-sort-title.ts";
import { Select } from "../parts/fields.tsx";
import { changeRouteQuery } from "../shell/route.ts";
import { readListParameter } from "./columns.tsx";

const maxSorts = 5;

export function SortAndGroup(props: {
  readonly type: ReportType;
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
}) {
  const { type, query, errors } = props;
  const sort = readListParameter(query, "sort");
  const options = type.columns
    .filter(({ sortable }) => sortable)
    .flatMap(({ key }) => [key, `-${key}`])
    .map((value) => ({ value, label: formatSortTitle(type, value) }));
  const change = (at: number, value: string): void => {
    const next = sort.toSpliced(at, 1, ...(value === "" ? [] : [value]));
    changeRouteQuery({ sort: next.length === 0 ? [] : [next.join(",")] });
  };
  return (
    <div class="grid">
      {[...sort, ...(sort.length < maxSorts ? [""] : [])].map((value, index) => (
        <Select
          key={index}
          name="sort"
          label={index === 0 ? "Sorted by" : "then by"}
          value={value}
          emptyLabel={
            index === 0 ? `Default: ${type.defaultSort.map((key) => formatSortTitle(type, key)).join(", ")}` : "–"
          }
          options={options}
          error={index === 0 ? errors.get("sort") : undefined}
          onChange={(next) => change(index, next)}
        />
      ))}
      <Select
        name="groupBy"
        label="Grouped by"
        value={query.get("groupBy") ?? ""}
        emptyLabel="Not grouped"
        options={type.columns
          .filter(({ groupable }) => groupable)
          .map(({ key, title }) => ({ value: key, label: title }))}
        error={errors.get("groupBy")}
        onChange={(value) => changeRouteQuery({ groupBy: value === "" ? [] : [value] })}
      />
      {type.subtotals.length > 0 && (
        <p class="hint">For each group, the file also has: {type.subtotals.map(({ title }) => title).join(", ")}.</p>
      )}
    </div>
  );
}
