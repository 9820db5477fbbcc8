import type { Authorities } from "@reports/auth";
import { findReport, reportNotFound } from "@reports/core";
import type { ReportStore } from "@reports/core";
import { isId } from "@reports/runtime";
import { z } from "zod";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { tags } from "../endpoint/tag.ts";
import { reportResource } from "./report-resource.ts";
import { reportFileSchema, reportIdSchema } from "./report-schema.ts";

/** `GET /v1/reports/{id}/files`: the file of a SUCCEEDED report, else nothing. docs/contract.md §1.1. */
export function listReportFilesEndpoint(deps: {
  readonly reports: Pick<ReportStore, "find">;
  readonly authorities: Authorities;
  readonly basePath: string;
}): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/reports/{id}/files",
    operationId: "listReportFiles",
    summary: "Lists the files of a report: one once it has succeeded",
    description: "Empty until the report has succeeded, and again once its file has expired.",
    tag: tags.reports,
    access: { kind: "authenticated" },
    params: z.object({ id: reportIdSchema }),
    produces: ["application/json"],
    responses: {
      200: {
        kind: "json",
        description: "The files.",
        schema: z.array(reportFileSchema),
        headers: { "Cache-Control": "no-store" },
      },
      ...problems({
        400: "A parameter is unknown.",
        401: "Credentials are missing or wrong.",
        404: "There is no such report, or not for this caller.",
        406: "Accept does not allow JSON.",
        410: "The report was deleted.",
        503: "The database cannot be reached.",
      }),
    },
    async handle({ params: { id = "" }, principal }) {
      if (!isId(id)) throw reportNotFound();
      const types = deps.authorities.typesFor(principal.authorities);
      const report = await findReport(deps, { id, mayRead: ({ reportType }) => types.includes(reportType) });
      const { file } = reportResource(report, deps.basePath);
      return {
        status: 200,
        headers: { "Cache-Control": "no-store" },
        body: { kind: "json", value: file === null ? [] : [file] },
      };
    },
  });
}
