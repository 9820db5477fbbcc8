import { isTerminal, reportListFilters, reportSortFields, type Report, type ReportLists } from "@reports/core/report";
import { newestFirstSort } from "@reports/core/record";
import type { Clock } from "@reports/core/base";
import { reportSchema } from "@reports/core/wire";
import type { ReportAccess } from "@reports/auth";
import { defineEndpoint, replyJson, describeJson, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { conditionalReadProblems, isNotModified, conditionalReadHeaders } from "../http/precondition.ts";
import { replaceMeByPrincipalId } from "../http/query.ts";
import type { ListConcurrencyLimiter } from "../limits/list-concurrency-limiter.ts";
import { defineListQuery } from "../resource/list-query-parser.ts";
import { createListReply, describeList } from "../resource/create-list-reply.ts";
import { retryAfterHeader, toReportEtag, toReportResource } from "./to-report-resource.ts";
import { preferenceAppliedHeader, waitIfRequested, type WaitForReportDeps } from "./wait.ts";

const listView = {
  filters: reportListFilters.map((filter) =>
    filter.name === "requestedBy"
      ? { ...filter, description: "The principal that started the report; `me` is the caller." }
      : filter,
  ),
  sortable: reportSortFields,
  defaultSort: newestFirstSort,
};

const listQuery = defineListQuery(listView, "Reports");

export function listReportsEndpoint(deps: {
  readonly reportAccess: ReportAccess;
  readonly reportLists: ReportLists;
  readonly lists: ListConcurrencyLimiter;
  readonly now: Clock;
  readonly basePath: string;
}): Endpoint {
  return defineEndpoint({
    ...describeList(listView, listQuery, reportSchema, "The reports that the caller may see."),
    path: "/v1/reports",
    operationId: "listReports",
    summary: "Lists reports, newest first",
    description:
      "The reports of every type whose authority the caller holds. If the deployment shows reports only to their requesters, only the caller's own. Link leads to the next page.",
    tag: openApiTags.reports,
    access: { kind: "authenticated" },
    readQuery: ({ pairs, principal }) =>
      listQuery.read("/v1/reports", replaceMeByPrincipalId(pairs, "requestedBy", principal.id), deps.now()),
    async handle({ query: { scope, ...query }, principal, signal }) {
      const visible = deps.reportAccess.visibleTo(principal);
      const page = await deps.lists.run(principal.id, signal, async () =>
        deps.reportLists.list({ ...query, visible }, signal),
      );
      return createListReply(page, { scope, basePath: deps.basePath }, (report) =>
        toReportResource(report, deps.basePath),
      );
    },
  });
}

export function readReportEndpoint(
  deps: WaitForReportDeps & { readonly now: Clock; readonly basePath: string },
): Endpoint {
  const headers = {
    ETag: "Changes with every change of the record.",
    "Cache-Control": "private, no-cache",
    "Retry-After": "Seconds to wait before asking again, while the report is not finished.",
    ...preferenceAppliedHeader,
  };
  return defineEndpoint({
    method: "GET",
    path: "/v1/reports/{id}",
    operationId: "readReport",
    summary: "Reads one report",
    description:
      "Its state is in the body. With Prefer: wait=N, the response waits for the end of the report, or for a change.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path" },
    headers: {
      ...conditionalReadHeaders,
      Prefer:
        "wait=N: respond when the report is finished, with If-None-Match when it has changed, or after N seconds (at most 30).",
    },
    responses: {
      200: describeJson("The report.", reportSchema, headers),
      304: { kind: "empty", description: "The report has not changed.", headers },
      ...describeProblems(conditionalReadProblems),
    },
    async handle(input) {
      const isNews = (report: Report) => {
        const isKnown = isNotModified(input, { etag: toReportEtag(report) });
        return input.header("if-none-match") === undefined ? isTerminal(report.status) : !isKnown;
      };
      const waited = await waitIfRequested(deps, input, input.report.id, isNews);
      const report = waited?.report ?? input.report;
      const etag = toReportEtag(report);
      const replyHeaders = {
        ETag: etag,
        "Cache-Control": "private, no-cache",
        ...retryAfterHeader(report, deps.now()),
        ...waited?.headers,
      };
      if (isNotModified(input, { etag })) return { status: 304, headers: replyHeaders, body: { kind: "empty" } };
      return replyJson(toReportResource(report, deps.basePath), 200, replyHeaders);
    },
  });
}
