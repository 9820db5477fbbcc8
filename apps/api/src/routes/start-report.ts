import {
  compressions,
  DomainError,
  parseIdempotencyKey,
  reportFormats,
  startInputFromQuery,
  startReport,
} from "@reports/core";
import type { Clock, IdMaker, ReportCatalogue, ReportLane, StartDeps, StartLimits } from "@reports/core";
import type { Authorities } from "@reports/auth";
import { z } from "zod";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { idempotencyKeyHeader, onceOf } from "../idempotency/once.ts";
import { startedReportSchema } from "./report-resource.ts";
import { startedReply, startedResponse } from "./started-reply.ts";

const text = z.string().min(1).optional();

/** The literal start: `GET /v1/report`. docs/contract.md §3.1. */
export function startReportEndpoint(deps: {
  readonly reports: StartDeps["reports"];
  readonly authorities: Authorities;
  readonly startLimits?: StartLimits;
  readonly refuseOverload?: (lane: ReportLane) => Promise<void>;
  readonly chooseLane?: NonNullable<StartDeps["chooseLane"]>;
  readonly catalogue: ReportCatalogue;
  readonly newId: IdMaker;
  readonly now: Clock;
  readonly basePath: string;
  readonly coalesceGetStarts: boolean;
}): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/report",
    operationId: "startReport",
    summary: "Starts a report",
    access: { kind: "report-type", in: "query" },
    query: z.object({
      reportType: z
        .enum(deps.catalogue.list().map(({ type }) => type))
        .meta({ description: "The type of the report." }),
      searchParam: z.string().optional().meta({
        description:
          "Filters: JSON, bracketed keys (searchParam[health]=DOWN) or a text to search for; an empty one filters nothing.",
      }),
      format: z.enum(reportFormats).optional().meta({ description: "Format of the file; pdf where the type has it." }),
      csvBom: z
        .enum(["true", "false"])
        .optional()
        .meta({ description: "Whether csv begins with a byte order mark; true by default." }),
      compression: z.enum(compressions).optional().meta({ description: "For csv, json and ndjson." }),
      columns: text.meta({ description: "Keys of the columns to show, in their order, separated by commas." }),
      sort: text.meta({ description: "Keys of columns, - in front for descending, separated by commas." }),
      groupBy: text.meta({ description: "Key of the column by which rows are grouped." }),
      timezone: text.meta({ description: "IANA time zone of the times in the file; UTC by default." }),
      locale: text.meta({ description: "Language tag (BCP 47); en by default." }),
      title: text.meta({ description: "Title of the report." }),
    }),
    checksOwnQuery: true,
    headers: {
      ...idempotencyKeyHeader,
      "Sec-Purpose": "A prefetch is refused: it would start a report that nobody asked for.",
      Purpose: "The same, as older browsers say it.",
      "Sec-Fetch-Site": "A request from a page of another site or host is refused.",
    },
    produces: ["application/json"],
    responses: {
      202: startedResponse(startedReportSchema),
      ...problems({
        400: "A parameter is missing, unknown, repeated or wrong.",
        401: "Credentials are missing or wrong.",
        403: "The caller lacks the authority of the type, or the request was not made on purpose.",
        406: "Accept does not allow JSON.",
        422: "The Idempotency-Key was used for another request.",
        503: "The database cannot be reached; nothing was started.",
      }),
    },
    async handle(input) {
      refuseUnasked((name) => input.header(name));
      const start = startInputFromQuery(input.definition, input.pairs);
      const context = {
        principalId: input.principal.id,
        requiredAuthority: deps.authorities.of(input.definition.type) ?? null,
        coalesce: deps.coalesceGetStarts,
        traceparent: input.traceparent,
        requestId: input.requestId,
        once: onceOf(input.header("idempotency-key"), "startReport", (report) =>
          startedReply({ report, reused: false }, deps),
        ),
      };
      return startedReply(await startReport(deps, context, start), deps);
    },
    async handleHead(input) {
      refuseUnasked((name) => input.header(name));
      startInputFromQuery(input.definition, input.pairs);
      parseIdempotencyKey(input.header("idempotency-key"));
      // HEAD is safe: it says what GET would answer, without a report that could be named in a header.
      return { status: 202, headers: { "Cache-Control": "no-store" }, body: { kind: "empty" } };
    },
  });
}

/** A browser that fetches ahead, or a page of another site whose requests carry Basic credentials by themselves, starts nothing. */
function refuseUnasked(header: (name: string) => string | undefined): void {
  const purposes = [header("sec-purpose"), header("purpose")];
  if (purposes.some((purpose) => purpose?.toLowerCase().includes("prefetch") === true)) {
    throw new DomainError(
      "forbidden",
      "prefetch-refused",
      "A prefetch does not start a report. Ask for it when it is wanted.",
    );
  }
  // A site's other hosts are not this one: whoever may put a page on one of them must not spend the credentials for this.
  if (["cross-site", "same-site"].includes(header("sec-fetch-site")?.toLowerCase() ?? "")) {
    throw new DomainError(
      "forbidden",
      "cross-site-refused",
      "A request from a page of another site or host does not start a report.",
    );
  }
}
