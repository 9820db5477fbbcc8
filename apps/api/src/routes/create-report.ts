import { compressions, reportFormats, startInputFromBody, startReport } from "@reports/core";
import type { Clock, IdMaker, ReportCatalogue, ReportLane, StartDeps, StartLimits } from "@reports/core";
import type { Authorities } from "@reports/auth";
import { z } from "zod";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { idempotencyKeyHeader, onceOf } from "../idempotency/once.ts";
import { reportTypeSchemaOf, startedReportSchema } from "./report-resource.ts";
import { startedReply, startedResponse } from "./started-reply.ts";

const text = z.string().min(1).max(255);
const keys = z.array(text).min(1);

/** Everything but reportType may be null, which is the same as leaving it out. */
const optionsSchema = z.strictObject({
  searchParam: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .meta({ description: "Filters by their names, as the report type's JSON Schema says, or a text to search for." }),
  format: z.enum(reportFormats).meta({ description: "Format of the file; pdf where the type has it." }),
  csvBom: z.boolean().meta({ description: "Whether csv begins with a byte order mark; true by default." }),
  compression: z.enum(compressions).meta({ description: "For csv, json and ndjson; none by default." }),
  columns: keys.meta({ description: "Keys of the columns to show, in their order." }),
  sort: keys.max(5).meta({ description: "Keys of columns, - in front for descending." }),
  groupBy: text.meta({ description: "Key of the column by which rows are grouped." }),
  timezone: text.meta({ description: "IANA time zone of the times in the file; UTC by default." }),
  locale: text.meta({ description: "Language tag (BCP 47); en by default." }),
  title: text.max(120).meta({ description: "Title of the report." }),
});

function bodySchemaOf(catalogue: ReportCatalogue): z.ZodType {
  const options = Object.entries(optionsSchema.shape).map(([name, field]) => [name, field.nullish()] as const);
  return z
    .strictObject({ reportType: reportTypeSchemaOf(catalogue), ...Object.fromEntries(options) })
    .meta({ id: "ReportStart" });
}

/** The canonical start: `POST /v1/reports`. Always creates. docs/contract.md §3.1. */
export function createReportEndpoint(deps: {
  readonly catalogue: ReportCatalogue;
  readonly reports: StartDeps["reports"];
  readonly authorities: Authorities;
  readonly startLimits?: StartLimits;
  readonly refuseOverload?: (lane: ReportLane) => Promise<void>;
  readonly chooseLane?: NonNullable<StartDeps["chooseLane"]>;
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
      schema: bodySchemaOf(deps.catalogue),
      example: { reportType: "PROXY_DOMAIN", searchParam: { severity: ["EXPIRED", "CRITICAL"] }, format: "xlsx" },
    },
    headers: idempotencyKeyHeader,
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
        422: "The report type or another field is missing, unknown or wrong, or the Idempotency-Key was used for another request.",
        503: "The database cannot be reached; nothing was started.",
      }),
    },
    async handle(input) {
      const start = startInputFromBody(input.definition, input.body as Readonly<Record<string, unknown>>);
      const context = {
        principalId: input.principal.id,
        requiredAuthority: deps.authorities.of(input.definition.type) ?? null,
        coalesce: false,
        traceparent: input.traceparent,
        requestId: input.requestId,
        once: onceOf(input.header("idempotency-key"), "createReport", (report) =>
          startedReply({ report, reused: false }, deps),
        ),
      };
      return startedReply(await startReport(deps, context, start), deps);
    },
  });
}
