import { openReport, openReportFile, reportNotFound, retryAfterSeconds } from "@reports/core";
import type { Clock, OpenDeps, Report, ReportCatalogue } from "@reports/core";
import type { Authorities } from "@reports/auth";
import { isId } from "@reports/runtime";
import { z } from "zod";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { Endpoint, Reply } from "../endpoint/endpoint.ts";
import { tags } from "../endpoint/tag.ts";
import { fileReply, fileRequestHeaders, fileResponses } from "./file-reply.ts";
import { reportResource } from "./report-resource.ts";
import { reportIdSchema, reportSchema } from "./report-schema.ts";
import { reportTypeSchema } from "./start-schema.ts";

/** What downloads need. */
export interface DownloadDeps extends OpenDeps {
  readonly authorities: Authorities;
  readonly now: Clock;
  readonly basePath: string;
}

/** The literal download: `GET /v1/report/download`. docs/contract.md §5.1. */
export function downloadReportEndpoint(deps: DownloadDeps & { readonly catalogue: ReportCatalogue }): Endpoint {
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
    headers: fileRequestHeaders,
    produces: [],
    responses: {
      ...fileResponses,
      202: {
        kind: "json",
        description: "The report is not finished: its record.",
        schema: reportSchema,
        headers: { "Retry-After": "Seconds to wait before asking again.", "Cache-Control": "no-store" },
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
      if (!isId(input.query.id)) throw reportNotFound();
      const types = deps.authorities.typesFor(input.principal.authorities);
      const opened = await openReport(deps, {
        id: input.query.id,
        reportType: input.definition.type,
        mayRead: ({ reportType }) => types.includes(reportType),
      });
      return opened.kind === "ready" ? fileReply(opened, input) : pendingReply(opened.report, deps);
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

function pendingReply(report: Report, deps: DownloadDeps): Reply {
  return {
    status: 202,
    headers: { "Retry-After": String(retryAfterSeconds(report, deps.now())), "Cache-Control": "no-store" },
    body: { kind: "json", value: reportResource(report, deps.basePath) },
  };
}
