import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { tags } from "../endpoint/tag.ts";
import { reportResource } from "./report-resource.ts";
import { reportFileSchema } from "@reports/core/http";

/** `GET /v1/reports/{id}/files`: the file of a SUCCEEDED report, else nothing. docs/contract.md §1.1. */
export function listReportFilesEndpoint(deps: { readonly basePath: string }): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/reports/{id}/files",
    operationId: "listReportFiles",
    summary: "Lists the files of a report: one once it has succeeded",
    description: "Empty until the report has succeeded, and again once its file has expired.",
    tag: tags.reports,
    access: { kind: "report", in: "path" },
    produces: ["application/json"],
    responses: {
      200: {
        kind: "json",
        description: "The files.",
        schema: z.array(reportFileSchema),
        headers: { "Cache-Control": "no-store" },
      },
    },
    async handle({ report }) {
      const { file } = reportResource(report, deps.basePath);
      return {
        status: 200,
        headers: { "Cache-Control": "no-store" },
        body: { kind: "json", value: file === null ? [] : [file] },
      };
    },
  });
}
