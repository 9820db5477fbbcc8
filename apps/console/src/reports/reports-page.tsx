import type { Page as ListPage, Report } from "@reports/client";
import { EmptyState, QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { readFirstPage } from "../shell/first-page.ts";
import { changeRouteQuery, buildHref, route } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { listStartableTypes } from "../shell/session.ts";
import { useRef } from "preact/hooks";
import { maxListRows, defaultListRows, readListRowCount } from "../parts/row-count.ts";
import { formatCount } from "../parts/text.ts";
import { browserTimeZone } from "../parts/time-text.ts";
import { useDebouncedText } from "../parts/use-debounced-text.ts";
import { toFilterParameter } from "../start/draft.ts";
import { groupErrorsByFilter } from "../parts/issues.ts";
import { parseSearchText } from "./find-report.ts";
import { isUnfinished } from "./report-state.tsx";
import { ReportFilters, requestedFilter } from "./report-filters.tsx";
import { ReportRows } from "./report-rows.tsx";

const unfinishedPollMs = 2_000;
const finishedPollMs = 5_000;

export function ReportsPage() {
  const { query } = route.value;
  const reports = useReports(query);
  const size = readListRowCount(query);
  return (
    <>
      <PageHead eyebrow="Reports" title={query.get("of") === "all" ? "All reports" : "My reports"}>
        {listStartableTypes().length > 0 && (
          <a class="button primary" href={buildHref("new")}>
            New report
          </a>
        )}
      </PageHead>
      <ReportFilters query={query} errors={reports.errors} />
      <QueryContent result={reports}>
        {(page) =>
          page.items.length === 0 ? (
            <NoReports isFiltered={filterNames.some((name) => query.has(name))} />
          ) : (
            <>
              <ReportRows reports={page.items} showsRequester={query.get("of") === "all"} onChange={reports.reload} />
              <ReportsFooter page={page} size={size} isOlder={query.has("before")} />
            </>
          )
        }
      </QueryContent>
    </>
  );
}

const createdFrom = toFilterParameter(requestedFilter.from);
const createdTo = toFilterParameter(requestedFilter.to);
const filterNames = ["q", "status", "type", "format", "before", createdFrom, createdTo];

function useReports(query: URLSearchParams) {
  const size = readListRowCount(query);
  // The API counts reports slowly, so the page requests the total once per filter and not with every poll.
  const counted = useRef<{ readonly key: string; readonly page: ListPage<Report> } | null>(null);
  const key = useDebouncedText(query.toString());
  const result = useQuery(
    key,
    async (gateway, options) => {
      const asked = new URLSearchParams(key);
      const wanted = parseSearchText(asked.get("q") ?? "");
      const total = counted.current?.key === key ? counted.current.page : null;
      const page = await readFirstPage(
        gateway.reports.list(
          {
            q: wanted.kind === "title" ? wanted.text : wanted.kind === "idEnd" ? wanted.end : undefined,
            requestedBy: asked.get("of") === "all" ? undefined : "me",
            status: asked.get("status") ?? undefined,
            reportType: asked.get("type") ?? undefined,
            format: asked.get("format") ?? undefined,
            createdFrom: asked.get(createdFrom) ?? undefined,
            createdTo: asked.get("before") ?? asked.get(createdTo) ?? undefined,
            timezone: browserTimeZone,
            limit: size,
            ...(total === null && { count: "exact" }),
          },
          options,
        ),
      );
      if (total === null) counted.current = { key, page };
      return { ...page, total: (total ?? page).total, totalAtLeast: (total ?? page).totalAtLeast };
    },
    (page) => (page?.items.some(isUnfinished) === true ? unfinishedPollMs : finishedPollMs),
  );
  return { ...result, errors: groupErrorsByFilter(result.failure) };
}

function NoReports({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No report matches">
        <p>No report matches these filters.</p>
        <a class="button" href={buildHref("reports", { of: route.value.query.get("of") ?? "" })}>
          Clear filters
        </a>
      </EmptyState>
    );
  if (listStartableTypes().length === 0)
    return (
      <EmptyState title="You have no authority for any report type">
        <p>Ask the operator of the gateway to grant you one.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No reports yet">
      <p>The reports you start appear here.</p>
    </EmptyState>
  );
}

function ReportsFooter(props: { readonly page: ListPage<Report>; readonly size: number; readonly isOlder: boolean }) {
  const { page, size, isOlder } = props;
  const { items } = page;
  const isFull = items.length === size;
  return (
    <div class="below">
      <span>{totalText(page, isOlder)}</span>
      <span class="buttons">
        {isOlder && (
          <button type="button" class="quiet" onClick={() => changeRouteQuery({ before: [], rows: [] })}>
            Back to the newest
          </button>
        )}
        {isFull && size < maxListRows && (
          <button
            type="button"
            class="quiet"
            onClick={() => changeRouteQuery({ rows: [String(Math.min(maxListRows, size + defaultListRows))] })}
          >
            Show more
          </button>
        )}
        {isFull && size >= maxListRows && (
          <button
            type="button"
            class="quiet"
            onClick={() => changeRouteQuery({ before: [items.at(-1)!.createdAt], rows: [] })}
          >
            Older reports
          </button>
        )}
      </span>
    </div>
  );
}

function totalText({ items, total, totalAtLeast }: ListPage<Report>, isOlder: boolean): string {
  const all = total ?? totalAtLeast;
  // If a report started after the total was counted, the page can have more reports than the total.
  if (all === null || all <= items.length) return `${items.length} ${items.length === 1 ? "report" : "reports"}`;
  return `The ${isOlder ? "next" : "newest"} ${items.length} of ${total === null ? "more than " : ""}${formatCount(all)}`;
}
