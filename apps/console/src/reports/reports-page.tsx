import type { Page as ListPage, Report } from "@reports/client";
import { EmptyState, QueryView } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { readFirstPage } from "../shell/first-page.ts";
import { changeQuery, buildHref, route } from "../shell/route.ts";
import { useQuery, type QueryResult } from "../shell/use-query.ts";
import { startableTypes } from "../shell/session.ts";
import { isUnfinished } from "./report-state.tsx";
import { ReportFilters } from "./report-filters.tsx";
import { ReportRows } from "./report-rows.tsx";

const pageSize = 50;
const maxRows = 200;
const unfinishedPollMs = 2_000;
const finishedPollMs = 5_000;

export function ReportsPage() {
  const { query } = route.value;
  const reports = useReports(query);
  const size = requestedRowCount(query);
  return (
    <>
      <PageHead eyebrow="Reports" title={query.get("of") === "all" ? "All reports" : "My reports"}>
        {startableTypes.value.length > 0 && (
          <a class="button primary" href={buildHref("new")}>
            New report
          </a>
        )}
      </PageHead>
      <ReportFilters query={query} />
      <QueryView result={reports}>
        {({ items }) =>
          items.length === 0 ? (
            <NoReports isFiltered={["status", "type", "format", "before"].some((name) => query.has(name))} />
          ) : (
            <>
              <ReportRows reports={items} showsRequester={query.get("of") === "all"} onChange={reports.reload} />
              <ReportsFooter items={items} size={size} isOlder={query.has("before")} />
            </>
          )
        }
      </QueryView>
    </>
  );
}

function useReports(query: URLSearchParams): QueryResult<ListPage<Report>> {
  const size = requestedRowCount(query);
  return useQuery(
    query.toString(),
    async (gateway, signal) =>
      readFirstPage(
        gateway.reports.list(
          {
            requestedBy: query.get("of") === "all" ? undefined : "me",
            status: query.get("status") ?? undefined,
            reportType: query.get("type") ?? undefined,
            format: query.get("format") ?? undefined,
            createdTo: query.get("before") ?? undefined,
            limit: size,
          },
          { signal },
        ),
      ),
    (page) => (page?.items.some(isUnfinished) === true ? unfinishedPollMs : finishedPollMs),
  );
}

/** Returns the number of rows to request. The console requests one page only. */
function requestedRowCount(query: URLSearchParams): number {
  const rows = Number(query.get("rows"));
  return rows > 0 && rows <= maxRows ? rows : pageSize;
}

function NoReports({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No report matches">
        <p>No report matches these filters. Reports are kept for 90 days after they end.</p>
        <a class="button" href={buildHref("reports", { of: route.value.query.get("of") ?? "" })}>
          Clear filters
        </a>
      </EmptyState>
    );
  if (startableTypes.value.length === 0)
    return (
      <EmptyState title="You have no authority for any report type">
        <p>Ask the operator of the gateway to grant you one.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No reports yet">
      <p>The reports you start appear here, with their progress and their files.</p>
    </EmptyState>
  );
}

function ReportsFooter(props: { readonly items: readonly Report[]; readonly size: number; readonly isOlder: boolean }) {
  const { items, size, isOlder } = props;
  const isFull = items.length === size;
  return (
    <div class="below">
      <span>
        {isFull
          ? `The ${isOlder ? "next" : "newest"} ${items.length}`
          : `${items.length} ${items.length === 1 ? "report" : "reports"}`}
      </span>
      <span class="buttons">
        {isOlder && (
          <button type="button" class="quiet" onClick={() => changeQuery({ before: [], rows: [] })}>
            Back to the newest
          </button>
        )}
        {isFull && size < maxRows && (
          <button
            type="button"
            class="quiet"
            onClick={() => changeQuery({ rows: [String(Math.min(maxRows, size + pageSize))] })}
          >
            Show more
          </button>
        )}
        {isFull && size >= maxRows && (
          <button
            type="button"
            class="quiet"
            onClick={() => changeQuery({ before: [items.at(-1)!.createdAt], rows: [] })}
          >
            Older reports
          </button>
        )}
      </span>
    </div>
  );
}
