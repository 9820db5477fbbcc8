import type { Report, ReportType } from "@reports/client";
import { formatSortTitle } from "../parts/format-sort-title.ts";
import { Facts, type Fact } from "../parts/facts.tsx";
import { FilterSummary } from "../parts/filter-summary.tsx";
import { Time } from "../parts/time.tsx";
import { PrincipalName } from "../parts/format-principal-name.tsx";
import { deriveFieldLabel } from "../parts/text.ts";
import { optionLabel } from "../start/options.tsx";
import { listNonDefaultOptions, findDefaultColumnsAndSort } from "./list-non-default-options.ts";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { buildHref } from "../shell/route.ts";
import { hasAuthority, session } from "../shell/session.ts";

export function ReportFacts({ report, type }: { readonly report: Report; readonly type: ReportType | undefined }) {
  const { options } = report;
  const byDefault = type === undefined ? null : findDefaultColumnsAndSort(type, report.format);
  // If the type is unknown, its defaults are unknown, too. The page then shows the columns and the sort.
  const differs = (name: "columns" | "sort"): boolean => options[name].join() !== byDefault?.[name].join();
  const titleOf = (key: string): string => formatSortTitle(type, key);
  const isWhole = options.columns.length === type?.columns.length;
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">Request</h2>
      <Facts
        facts={[
          ["Filters", <ReportFilterSummary key="filters" report={report} type={type} />],
          !differs("columns")
            ? null
            : ["Columns", isWhole ? `All ${options.columns.length}` : options.columns.map(titleOf).join(", ")],
          !differs("sort") ? null : ["Sorted by", options.sort.map(titleOf).join("; ")],
          options.groupBy === null ? null : ["Grouped by", titleOf(options.groupBy)],
          ["Format", report.format],
          ...listNonDefaultOptions(options).map(([name, value]): Fact => [
            optionLabel(name) ?? deriveFieldLabel(name),
            value,
          ]),
          options.keepRows && report.status !== "EXPIRED" ? ["Rows", "Kept for additional formats"] : null,
          ["Requested by", <PrincipalName key="who" id={report.requestedBy} />],
          report.scheduleId === null || !maySeeSchedule(report)
            ? null
            : [
                "Schedule",
                <a key="schedule" href={buildHref(`schedules/${report.scheduleId}`)}>
                  The schedule that started it
                </a>,
              ],
          ["Requested", <Time key="created" at={report.createdAt} exact />],
          report.dataAsOf === null ? null : ["Data as of", <Time key="as-of" at={report.dataAsOf} exact />],
          report.dataSha256 === null
            ? null
            : ["SHA-256 of the rows", <code key="data-sha256">{report.dataSha256}</code>],
          ["Report id", <code key="id">{report.id}</code>],
        ]}
      />
    </section>
  );
}

/**
 * Reports whether the user may see the schedule of a report. Only administrators may, and the owner of the schedule, who is the requester of the
 * report.
 */
function maySeeSchedule({ requestedBy }: Report): boolean {
  return requestedBy === session.value?.id || hasAuthority(REPORTS_ADMIN);
}

function ReportFilterSummary({ report, type }: { readonly report: Report; readonly type: ReportType | undefined }) {
  const { searchParam, searchParamGiven, options } = report;
  const resolved = Object.entries(searchParam).filter(
    ([name, value]) => String(searchParamGiven[name] ?? value) !== String(value),
  );
  return (
    <>
      <FilterSummary searchParam={searchParamGiven} type={type} timezone={options.timezone} />
      {resolved.length > 0 && (
        <div class="muted small">
          <FilterSummary searchParam={Object.fromEntries(resolved)} type={type} timezone={options.timezone} />
        </div>
      )}
    </>
  );
}
