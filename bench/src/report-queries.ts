import { reportListFilters, reportSortFields } from "@reports/core/report";

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** Values per filter of the list of reports. Some match many reports, some few or none. Each time filter has one value that all reports match. */
const filterValues: Readonly<Record<string, readonly string[]>> = {
  // Parts of the titles in report-records.sql. They are in 80 %, 1 %, 0.4 % (eight months old), 0.1 %, 0.01 % and 0 % of the reports.
  q: ["proxy", "audit", daysAgo(240).slice(0, 7), "incident", "Übersicht", "nowhere"],
  reportType: ["PROXY", "PROXY_DOMAIN"],
  status: ["EXPIRED", "SUCCEEDED", "FAILED", "CANCELLED", "QUEUED"],
  format: ["pdf", "csv", "json", "ndjson"],
  requestedBy: ["basic:bench-principal-0", "basic:bench-principal-50", "basic:bench-principal-9000"],
  scheduleId: ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"],
  createdFrom: ["2000-01-01T00:00:00Z", daysAgo(5)],
  createdTo: ["2100-01-01T00:00:00Z", daysAgo(300)],
};
const filters = reportListFilters.flatMap(({ name }) =>
  filterValues[name]!.map((value) => ({ name, query: `${name}=${encodeURIComponent(value)}` })),
);
const sorts = reportSortFields.flatMap((sort) => [`sort=${sort}`, `sort=-${sort}`]);

export const singleParameterQueries: readonly string[] = [...sorts, ...filters.map(({ query }) => query)];

/** The API refuses a range of times that ends before it begins, so such a pair is left out. */
function isEmptyRange(one: string, other: string): boolean {
  return (
    one.startsWith(`createdFrom=${daysAgo(5).slice(0, 10)}`) &&
    other.startsWith(`createdTo=${daysAgo(300).slice(0, 10)}`)
  );
}

export const filterPairQueries: readonly string[] = filters.flatMap(({ name, query }, index) => {
  const others = filters.slice(index + 1).filter((other) => other.name !== name && !isEmptyRange(query, other.query));
  const filtered = [query, ...others.map((other) => `${query}&${other.query}`)];
  return filtered.flatMap((given) => sorts.map((sort) => `${given}&${sort}`));
});
