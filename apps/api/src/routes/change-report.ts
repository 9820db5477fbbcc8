import {
  changeReport,
  removeReport,
  type FileRemovalDeps,
  type Report,
  type ReportCatalogue,
  type ReportChange,
  type ReportStore,
} from "@reports/core/report";
import { mergePatchMediaTypes } from "@reports/core/base";
import { reportSchema } from "@reports/core/wire";
import type { Logger } from "@reports/runtime";
import {
  defineEndpoint,
  describeDeletion,
  describeJson,
  describeProblems,
  type Endpoint,
  type HandlerInput,
} from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { conditionalWriteProblems, assertWritePreconditions, conditionalWrite } from "../http/precondition.ts";
import { createReportPatchBodySchema } from "./report-patch-schema.ts";
import { toReportEtag, toReportResource } from "./to-report-resource.ts";

export interface ChangeReportDeps extends FileRemovalDeps {
  readonly reports: Pick<ReportStore, "find" | "cancel" | "rename" | "remove">;
  readonly catalogue: ReportCatalogue;
  readonly logger: Logger;
  readonly basePath: string;
}

export function patchReportEndpoint(deps: ChangeReportDeps): Endpoint {
  return defineEndpoint({
    method: "PATCH",
    path: "/v1/reports/{id}",
    operationId: "patchReport",
    summary: "Renames or cancels a report",
    description:
      "A merge patch of title and status. It may repeat other fields as they were read. Only the requester or a holder of REPORTS_ADMIN may send it.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path", changes: true },
    audit: { recordType: "report", verb: "change" },
    ...conditionalWrite,
    body: {
      mediaTypes: mergePatchMediaTypes,
      schema: createReportPatchBodySchema(),
      example: { status: "CANCELLED" },
    },
    responses: {
      201: describeJson("The whole report as it is now.", reportSchema, {
        ETag: "Changes with every change of the record.",
        "Cache-Control": "private, no-cache",
      }),
      ...describeProblems({
        ...conditionalWriteProblems,
        422: "A field cannot be changed, is wrong, or the report has ended already.",
      }),
    },
    async handle(input) {
      const show = (report: Report) => toReportResource(report, deps.basePath);
      const report = await changeReport({ ...deps, show }, toReportChange(input), input.report, input.body);
      return {
        status: 201,
        headers: { ETag: toReportEtag(report), "Cache-Control": "private, no-cache" },
        body: { kind: "json", value: toReportResource(report, deps.basePath) },
        audit: (input.body as { status?: unknown }).status === "CANCELLED" ? { verb: "cancel" } : {},
      };
    },
  });
}

export function removeReportEndpoint(deps: ChangeReportDeps): Endpoint {
  return defineEndpoint({
    ...describeDeletion(conditionalWriteProblems),
    path: "/v1/reports/{id}",
    operationId: "deleteReport",
    summary: "Deletes a report and its file, and cancels an unfinished report first",
    description: "Repeating it changes nothing and is answered in the same way.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path", changes: true, acceptsDeleted: true },
    audit: { recordType: "report", verb: "delete" },
    ...conditionalWrite,
    async handle(input) {
      const { report } = input;
      await removeReport(deps, toReportChange(input), report, (error) =>
        deps.logger.warn("file of a deleted report could not be removed", { reportId: report.id, error }),
      );
      return { status: 204, body: { kind: "empty" } };
    },
  });
}

function toReportChange(input: HandlerInput<unknown>): ReportChange {
  return {
    actor: input.principal.id,
    precondition: (report) => assertWritePreconditions(input, { etag: toReportEtag(report) }),
  };
}
