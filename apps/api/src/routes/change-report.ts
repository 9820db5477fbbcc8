import { REPORTS_ADMIN, type Authorities, type Principal } from "@reports/auth";
import { changeReport, removeReport, reportNotFound, reportPatchSchema } from "@reports/core";
import type { FileRemovalDeps, Report, ReportChange, ReportStore } from "@reports/core";
import { isId, type Logger } from "@reports/runtime";
import { z } from "zod";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { AuditedReply, Endpoint, EndpointInput } from "../endpoint/endpoint.ts";
import { tags } from "../endpoint/tag.ts";
import { refuseMalformedConditions, refuseUnlessCurrent, writeConditions } from "../resource/precondition.ts";
import { reportEtag, reportResource } from "./report-resource.ts";
import { reportIdSchema, reportSchema } from "./report-schema.ts";

/** What changing and deleting reports needs. */
export interface ChangeReportDeps extends FileRemovalDeps {
  readonly reports: Pick<ReportStore, "find" | "cancel" | "rename" | "remove">;
  readonly authorities: Authorities;
  readonly logger: Logger;
  readonly basePath: string;
}

const params = z.object({ id: reportIdSchema });

const itemProblems = {
  400: "A parameter, header or the body cannot be read.",
  401: "Credentials are missing or wrong.",
  403: "The caller neither asked for the report nor holds REPORTS_ADMIN.",
  404: "There is no such report, or not for this caller.",
  412: "The report has another version than the one that the request names.",
  503: "The database cannot be reached.",
};

/** `PATCH /v1/reports/{id}`: another title, or cancelling. docs/contract.md §4.6. */
export function patchReportEndpoint(deps: ChangeReportDeps): Endpoint {
  return defineEndpoint({
    method: "PATCH",
    path: "/v1/reports/{id}",
    operationId: "patchReport",
    summary: "Renames or cancels a report",
    description: "A merge patch of title and status. Only the requester or a holder of REPORTS_ADMIN may.",
    tag: tags.reports,
    access: { kind: "authenticated" },
    audit: { recordType: "report", verb: "change", idParam: "id" },
    params,
    headers: writeConditions,
    body: {
      mediaTypes: ["application/merge-patch+json", "application/json"],
      schema: reportPatchSchema,
      example: { status: "CANCELLED" },
    },
    produces: ["application/json"],
    responses: {
      201: {
        kind: "json",
        description: "The whole report as it is now.",
        schema: reportSchema,
        headers: { ETag: "Changes with every change of the record.", "Cache-Control": "private, no-cache" },
      },
      ...problems({
        ...itemProblems,
        406: "Accept does not allow JSON.",
        410: "The report was deleted.",
        413: "The body is larger than 256 KiB.",
        415: "The body is of a media type that is not taken.",
        422: "A field cannot be changed, is wrong, or the report has ended already.",
      }),
    },
    async handle(input) {
      const report = await changeReport(deps, changeOf(deps, input), input.body);
      return {
        status: 201,
        headers: { ETag: reportEtag(report), "Cache-Control": "private, no-cache" },
        body: { kind: "json", value: reportResource(report, deps.basePath) },
        audit: {
          ...auditOf(report),
          ...((input.body as { status?: unknown }).status === "CANCELLED" ? { verb: "cancel" } : {}),
        },
      };
    },
  });
}

/** `DELETE /v1/reports/{id}`: cancels and removes. docs/contract.md §4.6. */
export function removeReportEndpoint(deps: ChangeReportDeps): Endpoint {
  return defineEndpoint({
    method: "DELETE",
    path: "/v1/reports/{id}",
    operationId: "deleteReport",
    summary: "Cancels a report where it is open, and deletes it with its file",
    description: "Repeating it changes nothing and is answered in the same way.",
    tag: tags.reports,
    access: { kind: "authenticated" },
    audit: { recordType: "report", verb: "delete", idParam: "id" },
    params,
    headers: writeConditions,
    produces: [],
    responses: {
      204: { kind: "empty", description: "It is deleted, now or already." },
      ...problems(itemProblems),
    },
    async handle(input) {
      const change = changeOf(deps, input);
      const report = await removeReport(deps, change, (error) =>
        deps.logger.warn("file of a deleted report is left", { reportId: change.id, error }),
      );
      return { status: 204, body: { kind: "empty" }, audit: auditOf(report) };
    },
  });
}

function changeOf(deps: Pick<ChangeReportDeps, "authorities">, input: EndpointInput<unknown>): ReportChange {
  refuseMalformedConditions(input);
  const { id = "" } = input.params;
  if (!isId(id)) throw reportNotFound();
  const types = deps.authorities.typesFor(input.principal.authorities);
  return {
    id,
    actor: input.principal.id,
    mayRead: ({ reportType }) => types.includes(reportType),
    mayChange: ({ requestedBy }) => mayChange(input.principal, requestedBy),
    precondition: (report) => refuseUnlessCurrent(input, { etag: reportEtag(report) }),
  };
}

function auditOf({ id, reportType, requestedBy }: Report): AuditedReply {
  return { recordId: id, reportType, owner: requestedBy };
}

function mayChange({ id, authorities }: Principal, requestedBy: string): boolean {
  return id === requestedBy || authorities.has(REPORTS_ADMIN);
}
