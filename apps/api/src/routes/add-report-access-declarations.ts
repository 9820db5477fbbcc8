import type { ReportCatalogue } from "@reports/core/report";
import { reportIdSchema } from "@reports/core/wire";
import { z } from "zod";
import { describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import type { AccessRule } from "../endpoint/access-rule.ts";
import { reportTypeNameSchema } from "./start-schema.ts";

export function addReportAccessDeclarations(endpoint: Endpoint, catalogue: ReportCatalogue): Endpoint {
  const { access, audit } = endpoint;
  if (access.kind !== "report") return endpoint;
  const responses = { ...describeProblems(problemsOf(access)), ...endpoint.responses };
  if (access.in === "query") {
    const id = z
      .string("is required: the id of the report")
      .min(1, "is required: the id of the report")
      .meta({ description: "The report's id." });
    const query = z.object({ reportType: reportTypeNameSchema(catalogue), id, ...endpoint.query?.shape });
    return { ...endpoint, query, responses };
  }
  const params = z.object({ id: reportIdSchema, ...endpoint.params?.shape });
  return { ...endpoint, params, responses, ...(audit === undefined ? {} : { audit: { idParam: "id", ...audit } }) };
}

function problemsOf(access: AccessRule & { readonly kind: "report" }): Readonly<Record<number, string>> {
  return {
    400: "A parameter or header is unknown or wrong.",
    401: "Credentials are missing or wrong.",
    ...(access.in === "query" ? { 403: "The caller lacks the authority of the type." } : {}),
    ...(access.changes === true
      ? { 403: "The caller is not the report's requester and does not hold REPORTS_ADMIN." }
      : {}),
    404: "There is no such report, or the caller may not see it.",
    ...(access.acceptsDeleted === true ? {} : { 410: "The report was deleted." }),
    503: "The database cannot be reached.",
  };
}
