import { isTerminal, newestFirst, reportFilters, reportNotFound, reportSorts, retryAfterSeconds } from "@reports/core";
import type { Clock, Report, ReportLists, ReportStore, ReportWatches } from "@reports/core";
import type { Authorities } from "@reports/auth";
import { isId } from "@reports/runtime";
import { z } from "zod";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { tags } from "../endpoint/tag.ts";
import type { QueryPair } from "../http/query.ts";
import type { ListSlots } from "../limits/list-slots.ts";
import { listNamesOf, listQuerySchema, parseListQuery } from "../resource/list-query.ts";
import { listReply, listResponse } from "../resource/list-reply.ts";
import { isCurrent } from "./file-reply.ts";
import { reportEtag, reportResource } from "./report-resource.ts";
import { reportIdSchema, reportSchema } from "./report-schema.ts";
import { preferenceApplied, readOrWait } from "./wait.ts";

/** What reading reports needs. */
export interface ReportsDeps {
  readonly reports: Pick<ReportStore, "find">;
  readonly authorities: Authorities;
  readonly now: Clock;
  readonly basePath: string;
}

const view = {
  filters: reportFilters.map((filter) =>
    filter.name === "requestedBy"
      ? { ...filter, description: "Who asked for the report; `me` is the caller." }
      : filter,
  ),
  sortable: reportSorts,
  defaultSort: newestFirst,
};

/** `GET /v1/reports`: newest first, of those types that the caller may see. docs/contract.md §6.2, §7.3. */
export function listReportsEndpoint(
  deps: ReportsDeps & { readonly reportLists: ReportLists; readonly lists: ListSlots },
): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/reports",
    operationId: "listReports",
    summary: "Lists reports, newest first",
    description: "Those whose type's authority the caller holds. Link leads to the next page.",
    tag: tags.reports,
    access: { kind: "authenticated" },
    query: listQuerySchema(view, "Reports"),
    list: listNamesOf(view),
    checksOwnQuery: true,
    produces: ["application/json"],
    responses: {
      200: listResponse(reportSchema, "Those reports whose type's authority the caller holds."),
      ...problems({
        400: "A parameter is unknown, repeated or wrong, or the cursor belongs to another list.",
        401: "Credentials are missing or wrong.",
        406: "Accept does not allow JSON.",
        503: "The list takes too long, or the database cannot be reached.",
      }),
    },
    async handle({ pairs, principal, signal }) {
      const meant = pairs.map(([name, value]): QueryPair =>
        name === "requestedBy" && value === "me" ? [name, principal.id] : [name, value],
      );
      const { scope, ...query } = parseListQuery(view, "/v1/reports", meant);
      const reportTypes = deps.authorities.typesFor(principal.authorities);
      const page = await deps.lists.run(principal.id, signal, async () =>
        deps.reportLists.list({ ...query, reportTypes }, signal),
      );
      return listReply(page, { scope, pairs, basePath: deps.basePath }, (report) =>
        reportResource(report, deps.basePath),
      );
    },
  });
}

/** `GET /v1/reports/{id}`: always 200 while the record is there; its state is in the body. docs/contract.md §4.4. */
export function readReportEndpoint(deps: ReportsDeps & { readonly watches: ReportWatches }): Endpoint {
  const headers = {
    ETag: "Changes with every change of the record.",
    "Cache-Control": "private, no-cache",
    "Retry-After": "Seconds to wait before asking again, while the report is not finished.",
    ...preferenceApplied,
  };
  return defineEndpoint({
    method: "GET",
    path: "/v1/reports/{id}",
    operationId: "readReport",
    summary: "Reads one report",
    description:
      "Its state is in the body. With Prefer: wait=N the answer waits for the end of the report, or for a change.",
    tag: tags.reports,
    access: { kind: "authenticated" },
    params: z.object({ id: reportIdSchema }),
    headers: {
      "If-None-Match": "Entity tags that the caller has already.",
      "If-Match": "Entity tags of which one must be current.",
      Prefer:
        "wait=N: answer when the report is finished or, with If-None-Match, when it has changed; after N seconds at the latest, at most 30.",
    },
    produces: ["application/json"],
    responses: {
      200: { kind: "json", description: "The report.", schema: reportSchema, headers },
      304: { kind: "empty", description: "The report has not changed.", headers },
      ...problems({
        400: "A parameter or header is unknown or wrong.",
        401: "Credentials are missing or wrong.",
        404: "There is no such report, or not for this caller.",
        406: "Accept does not allow JSON.",
        410: "The report was deleted.",
        412: "If-Match names another version.",
        503: "The database cannot be reached.",
      }),
    },
    async handle(input) {
      const { id = "" } = input.params;
      if (!isId(id)) throw reportNotFound();
      const types = deps.authorities.typesFor(input.principal.authorities);
      const wanted = { id, mayRead: ({ reportType }: Report) => types.includes(reportType) };
      const isNews = (report: Report) => {
        const isKnown = isCurrent(input, { etag: reportEtag(report) });
        return input.header("if-none-match") === undefined ? isTerminal(report.status) : !isKnown;
      };
      const { report, headers: waited } = await readOrWait(deps, input, wanted, isNews);
      const etag = reportEtag(report);
      const replyHeaders = {
        ETag: etag,
        "Cache-Control": "private, no-cache",
        ...retryAfter(report, deps.now()),
        ...waited,
      };
      if (isCurrent(input, { etag })) return { status: 304, headers: replyHeaders, body: { kind: "empty" } };
      return {
        status: 200,
        headers: replyHeaders,
        body: { kind: "json", value: reportResource(report, deps.basePath) },
      };
    },
  });
}

function retryAfter(report: Report, now: Date): Record<string, string> {
  return isTerminal(report.status) ? {} : { "Retry-After": String(retryAfterSeconds(report, now)) };
}
