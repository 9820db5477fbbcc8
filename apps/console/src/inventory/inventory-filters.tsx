import type { ReportType } from "@reports/client";
import { FilterField } from "../start/filter-field.tsx";
import { deriveFilters, filterValueText } from "../parts/filters.ts";
import { focusNextChip, focusOnFilters } from "../parts/focus.ts";
import { changeQuery } from "../shell/route.ts";
import { filterParam } from "../start/draft.ts";

export function InventoryFilters(props: {
  readonly type: ReportType | undefined;
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
  /** Filters that the page does not offer, because it sets them itself. */
  readonly without?: readonly string[];
}) {
  const { type, query, errors, without = [] } = props;
  if (type === undefined) return null;
  const filters = deriveFilters(type).filter(({ name }) => !without.includes(name));
  const search = filters.find(({ name }) => name === "q");
  const rest = filters.filter((filter) => filter !== search);
  const used = rest.filter(({ name }) => query.has(filterParam(name)));
  const field = (filter: (typeof filters)[number]) => (
    <FilterField
      key={filter.name}
      filter={filter}
      values={query.getAll(filterParam(filter.name))}
      error={errors.get(filterParam(filter.name))}
    />
  );
  return (
    <div class="inventory-filters" data-filters>
      {search !== undefined && <div class="search">{field(search)}</div>}
      <details open={rest.some(({ name }) => errors.has(filterParam(name))) || undefined}>
        <summary>{used.length === 0 ? "More filters" : `More filters (${used.length} in use)`}</summary>
        {/* Choices get a row each, because the chips of a choice would not fit into a column of the grid. */}
        {rest.filter(({ kind }) => kind === "choice").map(field)}
        <div class="grid">{rest.filter(({ kind }) => kind !== "choice").map(field)}</div>
      </details>
      {used.length > 0 && (
        <div class="chips">
          {used.flatMap((filter) => {
            const name = filterParam(filter.name);
            const values = query.getAll(name);
            return values.map((value) => {
              const text = `${filter.label}: ${filterValueText(filter, value)}`;
              return (
                <button
                  key={text}
                  type="button"
                  class="chip"
                  aria-label={`Remove the filter ${text}`}
                  onClick={({ currentTarget }) => {
                    focusNextChip(currentTarget);
                    changeQuery({ [name]: values.filter((one) => one !== value), rows: [] });
                  }}
                >
                  {text} <span aria-hidden="true">×</span>
                </button>
              );
            });
          })}
          <button
            type="button"
            class="quiet or"
            onClick={({ currentTarget }) => {
              focusOnFilters(currentTarget);
              changeQuery(Object.fromEntries(filters.map(({ name }) => [filterParam(name), []])));
            }}
          >
            Clear filters
          </button>
        </div>
      )}
    </div>
  );
}
