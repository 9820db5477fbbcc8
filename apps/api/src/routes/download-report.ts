import { openReport, openReportFile, retryAfterSeconds, type OpenDeps, type Report } from "@reports/core/report";
import { idField } from "@reports/core/query";
import type { Clock } from "@reports/core/base";
import { reportFileRecordSchema, reportSchema } from "@reports/core/wire";
import { z } from "zod";
import {
  defineEndpoint,
  replyJson,
  describeJson,
  describeProblems,
  type Endpoint,
  noStore,
  type ResponseSpec,
} from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { createFileReply, fileRequestHeaders, fileResponseSpecs } from "./create-file-reply.ts";
import { toFileRecordResource, toReportResource } from "./to-report-resource.ts";
import { preferenceAppliedHeader, waitIfRequested, type WaitForReportDeps } from "./wait.ts";

export interface DownloadDeps extends OpenDeps {
  readonly now: Clock;
  readonly basePath: string;
}

export function legacyDownloadEndpoint(deps: DownloadDeps & WaitForReportDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/report/download",
    operationId: "downloadReport",
    summary: "Downloads the file of a report",
    description:
      "The file once the report has succeeded; before that its record, with 202. Range and conditional headers are supported.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "query" },
    audit: { recordType: "report", verb: "download" },
    headers: {
      ...fileRequestHeaders,
      Prefer: "wait=N: respond when the report is finished, or after N seconds (at most 30). HEAD never waits.",
    },
    produces: [],
    responses: {
      ...describeDownload("The report is not finished: its record.", reportSchema),
      ...describeProblems({
        400: "A parameter or header is missing, unknown, repeated or wrong.",
        404: "There is no such report of this type, or it failed or was cancelled.",
        410: "The file was removed after its retention or is damaged, or the report was deleted.",
      }),
    },
    async handle(input) {
      const waited = await waitIfRequested(deps, input, input.report.id);
      const opened = await openReport(deps, waited?.report ?? input.report);
      const reply =
        opened.kind === "ready" ? createFileReply(opened, input) : pendingReply(opened.report, deps, toReportResource);
      return { ...reply, headers: { ...reply.headers, ...waited?.headers } };
    },
  });
}

export function downloadReportFileEndpoint(deps: DownloadDeps & WaitForReportDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/reports/{id}/files/{fileId}",
    operationId: "downloadReportFile",
    summary: "Downloads one file of a report",
    description:
      "The same bytes as the download by report type and id. While an additional file is not finished, the response is 202 with its record. Range and conditional headers are supported.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path" },
    audit: { recordType: "report", verb: "download" },
    params: z.object({ fileId: idField("Id of the file, as the report names it.") }),
    headers: {
      ...fileRequestHeaders,
      Prefer: "wait=N: respond when the file is finished, or after N seconds (at most 30). HEAD never waits.",
    },
    produces: [],
    responses: {
      ...describeDownload("The file is not finished: its record.", reportFileRecordSchema),
      ...describeProblems({
        404: "There is no such report or file, or the caller may not see it, or the file failed or was cancelled.",
        410: "The file was removed after its retention, deleted or is damaged, or the report was deleted.",
      }),
    },
    async handle(input) {
      const { report, params } = input;
      const { fileId = "" } = params;
      // Reading the header adds it to Vary. So this 200 lists Prefer in Vary, as the 202 of an unfinished file does.
      input.header("prefer");
      const found = await openReportFile(deps, report, fileId);
      const waited =
        found.kind === "ready" ? null : await waitIfRequested(deps, input, found.report.id, undefined, report.id);
      const opened = waited === null ? found : await openReportFile(deps, report, fileId);
      const reply =
        opened.kind === "ready"
          ? createFileReply(opened, input)
          : pendingReply(opened.report, deps, toFileRecordResource);
      return { ...reply, headers: { ...reply.headers, ...waited?.headers } };
    },
  });
}

/** Describes the file, or the record of an unfinished file, after a wait that the caller may have asked for. */
function describeDownload(pending: string, schema: z.ZodType): Record<string, ResponseSpec> {
  const later = { "Retry-After": "Seconds to wait before asking again.", ...noStore };
  const responses = { ...fileResponseSpecs, 202: describeJson(pending, schema, later) };
  return Object.fromEntries(
    Object.entries(responses).map(([status, spec]) => [
      status,
      spec.kind === "problem" ? spec : { ...spec, headers: { ...spec.headers, ...preferenceAppliedHeader } },
    ]),
  );
}

function pendingReply(
  report: Report,
  { now, basePath }: DownloadDeps,
  toResource: typeof toReportResource | typeof toFileRecordResource,
) {
  const later = { "Retry-After": String(retryAfterSeconds(report, now())), ...noStore };
  return replyJson(toResource(report, basePath), 202, later);
}
