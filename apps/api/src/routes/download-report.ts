import { openReport, openReportFile, reportNotFound, retryAfterSeconds } from "@reports/core";
import type { Clock, OpenDeps, Report, ReportCatalogue } from "@reports/core";
import type { Authorities } from "@reports/auth";
import { isId } from "@reports/runtime";
import { z } from "zod";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { Endpoint, Reply, ResponseSpec } from "../endpoint/endpoint.ts";
import { tags } from "../endpoint/tag.ts";
import { fileReply, fileRequestHeaders, fileResponses } from "./file-reply.ts";
import { reportResource } from "./report-resource.ts";
import { reportIdSchema, reportSchema } from "./report-schema.ts";
import { reportTypeSchema } from "./start-schema.ts";
import { preferenceApplied, waitIfAsked, type WaitDeps } from "./wait.ts";

/** What downloads need. */
export interface DownloadDeps extends OpenDeps {
  readonly authorities: Authorities;
  readonly now: Clock;
  readonly basePath: string;
}

/** The literal download: `GET /v1/report/download`. docs/contract.md §5.1. */
export function downloadReportEndpoint(
  deps: DownloadDeps & WaitDeps & { readonly catalogue: ReportCatalogue },
): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/report/download",
    operationId: "downloadReport",
    summary: "Downloads the file of a report",
    description:
      "The file once the report has succeeded; before that its record, with 202. Ranges and conditions are heeded.",
    tag: tags.reports,
    access: { kind: "report-type", in: "query" },
    audit: { recordType: "report", verb: "download" },
    query: z.object({
      reportType: reportTypeSchema(deps.catalogue),
      id: z
        .string("is required: the id of the report")
        .min(1, "is required: the id of the report")
        .meta({ description: "The report's id." }),
    }),
    headers: {
      ...fileRequestHeaders,
      Prefer:
        "wait=N: answer when the report is finished, after N seconds at the latest, at most 30. HEAD never waits.",
    },
    produces: [],
    responses: {
      ...withHeaders(fileResponses, preferenceApplied),
      202: {
        kind: "json",
        description: "The report is not finished: its record.",
        schema: reportSchema,
        headers: {
          "Retry-After": "Seconds to wait before asking again.",
          "Cache-Control": "no-store",
          ...preferenceApplied,
        },
      },
      ...problems({
        400: "A parameter or header is missing, unknown, repeated or wrong.",
        401: "Credentials are missing or wrong.",
        403: "The caller lacks the authority of the type.",
        404: "There is no such report of this type, or it failed or was cancelled.",
        410: "The file was removed after its retention or is damaged, or the report was deleted.",
      }),
    },
    async handle(input) {
      const { id } = input.query;
      if (!isId(id)) throw reportNotFound();
      const { type } = input.definition;
      const types = deps.authorities.typesFor(input.principal.authorities);
      const mayRead = ({ reportType }: Report) => types.includes(reportType);
      const wanted = { id, reportType: type, mayRead };
      const waited = await waitIfAsked(deps, input, wanted);
      const opened = await openReport(deps, wanted);
      const reply = opened.kind === "ready" ? fileReply(opened, input) : pendingReply(opened.report, deps);
      return { ...reply, headers: { ...reply.headers, ...waited?.headers } };
    },
  });
}

/** The canonical download: `GET /v1/reports/{id}/files/{fileId}`. */
export function downloadFileEndpoint(deps: DownloadDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/reports/{id}/files/{fileId}",
    operationId: "downloadReportFile",
    summary: "Downloads one file of a report",
    description: "The same bytes as the download by report type and id. Ranges and conditions are heeded.",
    tag: tags.reports,
    access: { kind: "authenticated" },
    audit: { recordType: "report", verb: "download", idParam: "id" },
    params: z.object({
      id: reportIdSchema,
      fileId: z.uuidv7().meta({ description: "Id of the file, as the report names it." }),
    }),
    headers: fileRequestHeaders,
    produces: [],
    responses: {
      ...fileResponses,
      ...problems({
        400: "A parameter or header is unknown or wrong.",
        401: "Credentials are missing or wrong.",
        404: "There is no such report or file, or not for this caller.",
        410: "The file was removed after its retention or is damaged, or the report was deleted.",
      }),
    },
    async handle(input) {
      const { id = "", fileId = "" } = input.params;
      if (!isId(id)) throw reportNotFound();
      const types = deps.authorities.typesFor(input.principal.authorities);
      const mayRead = (report: Report) => types.includes(report.reportType);
      return fileReply(await openReportFile(deps, { reportId: id, fileId, mayRead }), input);
    },
  });
}

/** The same answers, those that are no problems with further headers. */
function withHeaders(
  responses: Readonly<Record<number, ResponseSpec>>,
  headers: Readonly<Record<string, string>>,
): Record<string, ResponseSpec> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, spec]) => [
      status,
      spec.kind === "problem" ? spec : { ...spec, headers: { ...spec.headers, ...headers } },
    ]),
  );
}

function pendingReply(report: Report, deps: DownloadDeps): Reply {
  return {
    status: 202,
    headers: { "Retry-After": String(retryAfterSeconds(report, deps.now())), "Cache-Control": "no-store" },
    body: { kind: "json", value: reportResource(report, deps.basePath) },
  };
}
