import type { ReportAccess } from "@reports/auth";
import { DomainError } from "@reports/core/base";
import {
  renditionOptionsFromBody,
  reportFileNotFoundError,
  removeReport,
  startRendition,
  type FileRemovalDeps,
  type QueuedReport,
  type Report,
  type ReportStore,
} from "@reports/core/report";
import { idField } from "@reports/core/query";
import { reportFileRecordSchema } from "@reports/core/wire";
import { isUuidV7, type Logger } from "@reports/runtime";
import { z } from "zod";
import {
  defineEndpoint,
  replyJson,
  describeDeletion,
  describeJson,
  describeProblems,
  noStore,
  type Endpoint,
  type Reply,
} from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import {
  idempotencyKeyHeader,
  readIdempotencyKey,
  idempotencyReplayedHeader,
} from "../idempotency/read-idempotency-key.ts";
import { retryAfterHeader, toFileRecordResource } from "./to-report-resource.ts";
import { createRenditionBodySchema } from "./start-schema.ts";
import { createStartReplyAfterWait, replyToStart, type StartRouteDeps } from "./create-start-reply.ts";
import { preferenceAppliedHeader } from "./wait.ts";

export interface ReportFilesDeps extends StartRouteDeps, FileRemovalDeps {
  readonly reports: ReportStore;
  readonly reportAccess: Pick<ReportAccess, "mayChange">;
  readonly logger: Logger;
}

const filesPath = "/v1/reports/{id}/files";
const waitForFileText =
  "wait=N: respond when the file is finished, or after N seconds (at most 30). The status is 202 in both cases.";

export function reportFilesEndpoints(deps: ReportFilesDeps): readonly Endpoint[] {
  return [listReportFilesEndpoint(deps), createReportFileEndpoint(deps), deleteReportFileEndpoint(deps)];
}

function listReportFilesEndpoint(deps: ReportFilesDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: filesPath,
    operationId: "listReportFiles",
    summary: "Lists the files of a report: its own once it has succeeded, and additional ones",
    description:
      "The report's own file first, then additional ones by age, in every state. The list is empty until the report has succeeded. The report's own file is left out once it has expired.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path" },
    responses: {
      200: describeJson("The files.", z.array(reportFileRecordSchema)),
    },
    async handle({ report }) {
      const renditions = await deps.reports.listFiles(report.id);
      const files = report.file === null ? renditions : [report, ...renditions];
      return replyJson(files.map((file) => toFileRecordResource(file, deps.basePath)));
    },
  });
}

function createReportFileEndpoint(deps: ReportFilesDeps): Endpoint {
  return defineEndpoint({
    method: "POST",
    path: filesPath,
    operationId: "createReportFile",
    summary: "Makes an additional file from the row snapshot of a report",
    description:
      "It holds the same rows in the same order: in another format, with other columns, or in another time zone. For callers that may download the report, while it is SUCCEEDED. It counts as a start. A report has at most 10 additional files, which expire with it.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path" },
    audit: { recordType: "report", verb: "add-file" },
    body: {
      mediaTypes: ["application/json"],
      schema: createRenditionBodySchema(deps.catalogue),
      example: { format: "csv" },
    },
    headers: { ...idempotencyKeyHeader, Prefer: waitForFileText },
    responses: {
      202: describeJson(
        "The file is queued. After a wait, `status` is the current one, which can be FAILED.",
        reportFileRecordSchema,
        {
          ...noStore,
          Location: "Where it can be downloaded.",
          "Retry-After": "Seconds to wait before asking for it, while it is not finished.",
          ...idempotencyReplayedHeader,
          ...preferenceAppliedHeader,
        },
      ),
      ...describeProblems({
        410: "The report has expired or was deleted, or its row snapshot no longer exists.",
        422: "The report is not finished, has no row snapshot or has 10 additional files; a field is missing, unknown or wrong; or the Idempotency-Key was used for another request.",
        503: "The database cannot be reached; nothing was started.",
      }),
    },
    async handle(input) {
      const { report, body, principal, traceparent, requestId, header } = input;
      const definition = deps.catalogue.find(report.reportType);
      if (definition === undefined) throw unknownTypeError(report);
      const options = renditionOptionsFromBody(definition, report, body);
      const context = {
        principalId: principal.id,
        requiredAuthority: deps.authorities.of(report.reportType) ?? null,
        traceparent,
        requestId,
        once: readIdempotencyKey(header("idempotency-key"), "createReportFile", (file) =>
          startedFileReply({ report: file, reused: false }, deps),
        ),
      };
      const starting = { ...deps, startLimits: deps.findStartLimits(principal) };
      const started = await startRendition(starting, context, { definition, report, options });
      return createStartReplyAfterWait(deps, input, started, startedFileReply, report.id);
    },
  });
}

function deleteReportFileEndpoint(deps: ReportFilesDeps): Endpoint {
  return defineEndpoint({
    ...describeDeletion({
      403: "The caller is not the requester of the file or of the report, and does not hold REPORTS_ADMIN.",
      404: "There is no such report or file, or the caller may not see it.",
      422: "It is the report's own file.",
    }),
    path: `${filesPath}/{fileId}`,
    operationId: "deleteReportFile",
    summary: "Cancels an additional file if it is not finished, and deletes it",
    description:
      "For the requester of the file, the requester of the report and holders of REPORTS_ADMIN. A repeated request changes nothing. The report's own file is deleted with the report.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path" },
    audit: { recordType: "report", verb: "delete-file" },
    params: z.object({ fileId: idField("Id of the file.") }),
    async handle({ report, params: { fileId = "" }, principal }) {
      if (report.file?.id === fileId) throw ownFileError();
      const file = isUuidV7(fileId) ? await deps.reports.findFile(report.id, fileId) : null;
      if (file === null) throw reportFileNotFoundError();
      if (![file, report].some((record) => deps.reportAccess.mayChange(principal, record))) throw notRequesterError();
      await removeReport(deps, { actor: principal.id, precondition: () => undefined }, file, (error) =>
        deps.logger.warn("a deleted file of a report could not be removed", { reportId: report.id, fileId, error }),
      );
      return { status: 204, body: { kind: "empty" } };
    },
  });
}

function startedFileReply(
  { report: file, ...started }: QueuedReport,
  deps: Pick<ReportFilesDeps, "now" | "basePath">,
): Reply {
  const value = toFileRecordResource(file, deps.basePath);
  const headers = { ...noStore, Location: value.links.self, ...retryAfterHeader(file, deps.now()) };
  return replyToStart(replyJson(value, 202, headers), started);
}

function unknownTypeError({ reportType }: Report): DomainError {
  const message = `The report type ${reportType} is no longer known, so no file of it can be made.`;
  return new DomainError("invalid", "invalid-report-type", message, { issues: [{ code: "unknown_type", message }] });
}

function ownFileError(): DomainError {
  const message = "The report's own file cannot be deleted separately. Delete the report.";
  return new DomainError("invalid", "file-of-the-report", message, { issues: [{ code: "own_file", message }] });
}

function notRequesterError(): DomainError {
  return new DomainError(
    "forbidden",
    "not-the-requester",
    "Only the requester of the file, the requester of the report or a holder of REPORTS_ADMIN may delete it.",
  );
}
