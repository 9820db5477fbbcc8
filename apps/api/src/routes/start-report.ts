import { DomainError } from "@reports/core/base";
import { parseIdempotencyKey, startInputFromQuery } from "@reports/core/report";
import { assertNotCrossSite } from "../endpoint/assert-not-cross-site.ts";
import { defineEndpoint, describeProblems, noStore, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { idempotencyKeyHeader } from "../idempotency/read-idempotency-key.ts";
import { startQuerySchema } from "./start-schema.ts";
import {
  describeStartResponse,
  replyAfterStart,
  startPreferHeader,
  type StartRouteDeps,
} from "./create-start-reply.ts";

export function legacyStartEndpoint(deps: StartRouteDeps & { readonly coalesceGetStarts: boolean }): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/report",
    operationId: "startReport",
    summary: "Starts a report by a plain GET",
    description:
      "If an earlier report of the same caller with the same filters and options is unfinished, the response is that report with `reused: true`. A repeated request is therefore harmless. A browser's prefetch, and a request from a page of another site or host, are refused.",
    tag: openApiTags.reports,
    access: { kind: "report-type", in: "query" },
    audit: { recordType: "report", verb: "start" },
    query: startQuerySchema(deps.catalogue),
    readQuery: ({ definition, pairs }) => startInputFromQuery(definition, pairs, deps.now()),
    headers: { ...idempotencyKeyHeader, ...startPreferHeader },
    checkRequest: ({ header }) => refuseUnintendedStart(header),
    responses: {
      202: describeStartResponse(),
      ...describeProblems({
        400: "A parameter is missing, unknown, repeated or wrong, or a filter has a value that its data lacks.",
        403: "The caller lacks the authority of the type, or the request was not made on purpose.",
        422: "The Idempotency-Key was used for another request.",
        503: "The database cannot be reached. Nothing was started, unless the code is outcome-unknown.",
      }),
    },
    handle: async (input) =>
      replyAfterStart(deps, input, input.query, {
        operation: "startReport",
        coalesce: deps.coalesceGetStarts,
        readFrom: "query",
      }),
    async handleHead(input) {
      parseIdempotencyKey(input.header("idempotency-key"));
      // Reading the header adds it to Vary. HEAD never waits; it reads Prefer only so that its Vary equals that of GET.
      input.header("prefer");
      // HEAD must not change anything, so it starts no report.
      return { status: 202, headers: noStore, body: { kind: "empty", contentType: "application/json" } };
    },
  });
}

/** Throws 403 for a browser's prefetch and for pages of other sites, because browsers may add Basic credentials to both. */
function refuseUnintendedStart(header: (name: string) => string | undefined): void {
  const purposes = [header("sec-purpose"), header("purpose")];
  if (purposes.some((purpose) => purpose?.toLowerCase().includes("prefetch") === true)) {
    throw new DomainError(
      "forbidden",
      "prefetch-refused",
      "A prefetch does not start a report. Send the request without the prefetch headers.",
    );
  }
  assertNotCrossSite({ header }, "does not start a report");
}
