import { Choice, Select } from "../parts/fields.tsx";
import { toSentenceCase } from "../parts/text.ts";
import { changeRouteQuery } from "../shell/route.ts";
import { session } from "../shell/session.ts";
import type { TimeRangeFilter } from "../parts/filters.ts";
import { browserTimeZone } from "../parts/time-text.ts";
import { TimeRangeField } from "../start/time-range-field.tsx";
import { ReportSearch } from "./report-search.tsx";

const reportStatuses = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"];

export const requestedFilter: TimeRangeFilter = {
  kind: "range",
  isRequired: false,
  name: "created",
  label: "Requested",
  from: "createdFrom",
  to: "createdTo",
  expires: false,
  days: false,
};

export function ReportFilters(props: {
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
}) {
  const { query, errors } = props;
  const types = session.value?.reportTypes ?? [];
  const formats = [...new Set(types.flatMap((type) => type.formats.map(({ format }) => format)))];
  // The parameters `rows` and `before` page through the list. They no longer fit after a filter has changed, so the list starts at its newest
  // reports.
  const change = (name: string) => (value: string) =>
    changeRouteQuery({ [name]: value === "" ? [] : [value], rows: [], before: [] });
  return (
    <>
      <div class="filters" data-filters>
        <ReportSearch query={query} />
        <Choice
          label="Whose reports"
          value={query.get("of") ?? "mine"}
          options={[
            { value: "mine", label: "Mine" },
            { value: "all", label: "All" },
          ]}
          onChange={(value) => change("of")(value === "mine" ? "" : value)}
        />
        <Select
          label="State"
          value={query.get("status") ?? ""}
          emptyLabel="Any state"
          options={reportStatuses.map((value) => ({ value, label: toSentenceCase(value) }))}
          onChange={change("status")}
        />
        <Select
          label="Type"
          value={query.get("type") ?? ""}
          emptyLabel="Any type"
          options={types.map(({ reportType, title }) => ({ value: reportType, label: title }))}
          onChange={change("type")}
        />
        <Select
          label="Format"
          value={query.get("format") ?? ""}
          emptyLabel="Any format"
          options={formats.map((value) => ({ value, label: value }))}
          onChange={change("format")}
        />
      </div>
      <div class="requested">
        <TimeRangeField filter={requestedFilter} query={query} errors={errors} timezone={browserTimeZone} />
      </div>
    </>
  );
}
