import type { ReportType } from "@reports/client";
import { deriveFilterFields, listFilterNames } from "../parts/filters.ts";
import { describeFilters } from "../parts/filter-description.ts";
import { focusNextChip, focusFirstFilter } from "../parts/focus.ts";
import { changeRouteQuery } from "../shell/route.ts";
import { toFilterParameter, readDraftTimezone } from "../start/draft.ts";
import { FieldRows } from "../start/filter-fields.tsx";
import { readListFilters } from "./inventory-list.ts";

export function InventoryFilters(props: {
  readonly type: ReportType | undefined;
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
  readonly without?: readonly string[];
}) {
  const { type, query, errors, without = [] } = props;
  if (type === undefined) return null;
  const fields = deriveFilterFields(type).filter(
    (field) => !listFilterNames(field).some((name) => without.includes(name)),
  );
  const isSearch = ({ name }: (typeof fields)[number]): boolean => name === "q";
  const rest = fields.filter((field) => !isSearch(field));
  const names = rest.flatMap(listFilterNames);
  const given = Object.entries(readListFilters(query, type)).filter(([name]) => names.includes(name));
  const used = describeFilters(Object.fromEntries(given), type);
  const common = { query, errors, timezone: readDraftTimezone(query) };
  return (
    <div class="inventory-filters" data-filters>
      <FieldRows {...common} fields={fields.filter(isSearch)} />
      <details open={names.some((name) => errors.has(toFilterParameter(name))) || undefined}>
        <summary>{used.length === 0 ? "More filters" : `More filters (${used.length} in use)`}</summary>
        <FieldRows {...common} fields={rest} />
      </details>
      {used.length > 0 && (
        <div class="chips">
          {used.flatMap((filter) =>
            filter.texts.map((text, at) => (
              <button
                key={`${filter.label} ${text}`}
                type="button"
                class="chip"
                aria-label={`Remove the filter ${filter.label}: ${text}`}
                onClick={({ currentTarget }) => {
                  focusNextChip(currentTarget);
                  // Removing one value keeps the other values of its filter. A range of times is one removable text, but two parameters, so both
                  // parameters are removed.
                  const params = filter.names.map(toFilterParameter);
                  const kept = filter.names.length > 1 ? [] : query.getAll(params[0]!).toSpliced(at, 1);
                  changeRouteQuery({ ...Object.fromEntries(params.map((name) => [name, kept])), rows: [] });
                }}
              >
                {filter.label}: {text} <span aria-hidden="true">×</span>
              </button>
            )),
          )}
          <button
            type="button"
            class="quiet or"
            onClick={({ currentTarget }) => {
              focusFirstFilter(currentTarget);
              changeRouteQuery(
                Object.fromEntries(fields.flatMap(listFilterNames).map((name) => [toFilterParameter(name), []])),
              );
            }}
          >
            Clear filters
          </button>
        </div>
      )}
    </div>
  );
}
