import type { ReportType } from "@reports/client";
import type { ComponentChildren } from "preact";
import { Collapsible } from "../parts/collapsible.tsx";
import {
  deriveFilterFields,
  deriveFilters,
  listFilterNames,
  type Filter,
  type TimeRangeFilter,
} from "../parts/filters.ts";
import { toFilterParameter } from "./draft.ts";
import { FilterField } from "./filter-field.tsx";
import { TimeRangeField } from "./time-range-field.tsx";

interface FieldsProps {
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
  readonly timezone: string;
}

export function FilterFields(props: FieldsProps & { readonly type: ReportType }) {
  const { type, query, errors } = props;
  const [first, rest] = splitFields(type);
  const isUsed = rest
    .flatMap(listFilterNames)
    .some((name) => query.has(toFilterParameter(name)) || errors.has(toFilterParameter(name)));
  return (
    <>
      <div data-filters>
        <FieldRows {...props} fields={first} />
      </div>
      {rest.length > 0 && (
        <Collapsible title={`More filters (${rest.length})`} opens={isUsed}>
          <FieldRows {...props} fields={rest} />
        </Collapsible>
      )}
    </>
  );
}

function splitFields(
  type: ReportType,
): readonly [readonly (Filter | TimeRangeFilter)[], readonly (Filter | TimeRangeFilter)[]] {
  const fields = deriveFilterFields(type);
  const named = [
    ...new Set(
      type.prominentFilters.flatMap((name) => fields.filter((field) => listFilterNames(field).includes(name))),
    ),
  ];
  const needed = deriveFilters(type).flatMap(({ name, isRequired, defaults }) =>
    isRequired || defaults[0] ? fields.filter((field) => listFilterNames(field).includes(name)) : [],
  );
  const usual =
    named.length > 0 ? named : fields.filter(({ name, kind }) => name === "q" || kind === "choice" || kind === "range");
  const first = [...new Set([...needed, ...usual])];
  return [first, fields.filter((field) => !first.includes(field))];
}

export function FieldRows(
  props: FieldsProps & { readonly fields: readonly (Filter | TimeRangeFilter)[]; readonly type?: ReportType },
) {
  const { fields, query, errors, timezone, type } = props;
  const isRow = (field: Filter | TimeRangeFilter): boolean => field.kind === "choice" || field.kind === "range";
  const others: ComponentChildren[] = [];
  const rows = fields.map((given) => {
    const field = given.isRequired ? { ...given, label: `${given.label} (required)` } : given;
    if (field.kind === "range")
      return <TimeRangeField key={field.name} filter={field} query={query} errors={errors} timezone={timezone} />;
    const name = toFilterParameter(field.name);
    const shown = (
      <FilterField
        key={field.name}
        filter={field}
        values={query.getAll(name)}
        error={errors.get(name)}
        source={!!type?.filterValues.includes(field.name) && type.reportType}
      />
    );
    if (isRow(field)) return shown;
    if (field.name === "q")
      return (
        <div key="q" class="search">
          {shown}
        </div>
      );
    others.push(shown);
    return null;
  });
  return (
    <>
      {rows}
      {others.length > 0 && <div class="grid">{others}</div>}
    </>
  );
}

export function filterFieldLabel(field: string, type: ReportType): string | undefined {
  return deriveFilters(type).find(({ name }) => toFilterParameter(name) === field)?.label;
}
