import type { ReportType } from "@reports/client";
import { Collapsible } from "../parts/collapsible.tsx";
import { FilterField } from "./filter-field.tsx";
import { filterParam } from "./draft.ts";
import { deriveFilters, type Filter } from "../parts/filters.ts";

export function FilterFields(props: {
  readonly type: ReportType;
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
}) {
  const { type, query, errors } = props;
  const filters = deriveFilters(type);
  const isPlain = ({ name, kind }: Filter): boolean => name === "q" || kind === "choice";
  const rest = filters.filter((filter) => !isPlain(filter));
  const isUsed = rest.some(({ name }) => query.has(filterParam(name)) || errors.has(filterParam(name)));
  const field = (filter: Filter) => (
    <FilterField
      key={filter.name}
      filter={filter}
      values={query.getAll(filterParam(filter.name))}
      error={errors.get(filterParam(filter.name))}
    />
  );
  return (
    <>
      <div data-filters>
        {filters
          .filter(isPlain)
          .map((filter) => (filter.name === "q" ? <div class="search">{field(filter)}</div> : field(filter)))}
      </div>
      {rest.length > 0 && (
        <Collapsible title={`More filters (${rest.length})`} opens={isUsed}>
          <div class="grid">{rest.map(field)}</div>
        </Collapsible>
      )}
    </>
  );
}
