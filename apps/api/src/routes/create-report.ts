import { reportOptionNames, startInputFromBody, startReport } from "@reports/core";
import type { Clock, IdMaker, ReportStore } from "@reports/core";
import { z } from "zod";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { startedReportSchema } from "./report-resource.ts";
import { startedReply, startedResponse } from "./started-reply.ts";

const bodySchema = z
  .object({
    reportType: z.string(),
    searchParam: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
    ...Object.fromEntries(reportOptionNames.map((name) => [name, z.unknown().optional()])),
  })
  .meta({ id: "ReportStart" });

/** The canonical start: `POST /v1/reports`. Always creates. contract §3. */
export function createReportEndpoint(deps: {
  readonly reports: Pick<ReportStore, "createQueued">;
  readonly newId: IdMaker;
  readonly now: Clock;
  readonly basePath: string;
}): Endpoint {
  return defineEndpoint({
    method: "POST",
    path: "/v1/reports",
    operationId: "createReport",
    summary: "Starts a report",
    access: { kind: "report-type", in: "body" },
    body: {
      mediaTypes: ["application/json"],
      schema: bodySchema,
      example: { reportType: "PROXY_DOMAIN", searchParam: { severity: ["EXPIRED", "CRITICAL"] }, format: "xlsx" },
    },
    produces: ["application/json"],
    responses: {
      202: startedResponse(startedReportSchema),
      ...problems({
        400: "The body is not JSON, or there is a parameter.",
        401: "Credentials are missing or wrong.",
        403: "The caller lacks the authority of the type.",
        406: "Accept does not allow JSON.",
        413: "The body is larger than 256 KiB.",
        415: "The body is not JSON in UTF-8.",
        422: "The report type or another field is missing, unknown or wrong.",
        503: "The database cannot be reached; nothing was started.",
      }),
    },
    async handle(input) {
      const start = startInputFromBody(input.definition, input.body as Readonly<Record<string, unknown>>);
      const context = { principalId: input.principal.id, coalesce: false, traceparent: input.traceparent };
      return startedReply(await startReport(deps, context, start), deps);
    },
  });
}
