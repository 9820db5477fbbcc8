import { startInputFromBody } from "@reports/core/report";
import { defineEndpoint, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { idempotencyKeyHeader } from "../idempotency/read-idempotency-key.ts";
import { startBodySchema } from "./start-schema.ts";
import {
  describeStartResponse,
  replyAfterStart,
  startPreferHeader,
  type StartRouteDeps,
} from "./create-start-reply.ts";

export function createReportEndpoint(deps: StartRouteDeps): Endpoint {
  return defineEndpoint({
    method: "POST",
    path: "/v1/reports",
    operationId: "createReport",
    summary: "Starts a report",
    description:
      "Starts a new report, unless Idempotency-Key names an earlier start. The response does not wait for the report; Location is the URL of its record.",
    tag: openApiTags.reports,
    access: { kind: "report-type", in: "body" },
    audit: { recordType: "report", verb: "start" },
    body: {
      mediaTypes: ["application/json"],
      schema: startBodySchema(deps.catalogue),
      example: { reportType: "PROXY_DOMAIN", searchParam: { severity: ["EXPIRED", "CRITICAL"] }, format: "xlsx" },
    },
    headers: { ...idempotencyKeyHeader, ...startPreferHeader },
    responses: {
      202: describeStartResponse(),
      ...describeProblems({
        422: "A field is missing, unknown or wrong, a filter has a value that its data lacks, or the Idempotency-Key was used for another request.",
        503: "The database cannot be reached. Nothing was started, unless the code is outcome-unknown.",
      }),
    },
    async handle(input) {
      const start = startInputFromBody(input.definition, input.body as Readonly<Record<string, unknown>>, deps.now());
      return replyAfterStart(deps, input, start, { operation: "createReport", coalesce: false });
    },
  });
}
