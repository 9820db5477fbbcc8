import { DomainError, isJsonObject, notAnObjectIssue } from "@reports/core/base";
import { repeatedParameterIssue } from "@reports/core/query";
import type { ReportCatalogue, ReportTypeDefinition } from "@reports/core/report";
import type { QueryPair } from "../http/query.ts";

/** Finds the report type that a query or a body names. Throws DomainError: `bad-request` for a query, `invalid` for a body. */
export function chooseReportType(
  catalogue: ReportCatalogue,
  place: "query" | "body",
  pairs: readonly QueryPair[],
  body: unknown,
): ReportTypeDefinition {
  const given: readonly unknown[] =
    place === "query" ? pairs.filter(([name]) => name === "reportType").map(([, value]) => value) : typesInBody(body);
  const [only] = given;
  const definition = given.length === 1 && typeof only === "string" ? catalogue.find(only) : undefined;
  if (definition !== undefined) return definition;

  const types = catalogue
    .list()
    .map(({ type }) => type)
    .join(", ");
  const issue =
    given.length === 0
      ? { code: "missing_parameter", message: `reportType is required: one of ${types}.` }
      : given.length > 1
        ? repeatedParameterIssue("reportType", given.length)
        : { code: "unknown_report_type", message: `reportType must be one of ${types}, in exactly this spelling.` };
  const [kind, where] =
    place === "query"
      ? (["bad-request", { parameter: "reportType" }] as const)
      : (["invalid", { pointer: "/reportType" }] as const);
  throw new DomainError(kind, "invalid-report-type", issue.message, { issues: [{ ...where, ...issue }] });
}

function typesInBody(body: unknown): readonly unknown[] {
  if (!isJsonObject(body))
    throw new DomainError("invalid", "invalid-body", notAnObjectIssue.message, { issues: [notAnObjectIssue] });
  return Object.hasOwn(body, "reportType") ? [body["reportType"]] : [];
}

/** Finds a report type by its name. Throws DomainError("not-found"). */
export function requireReportTypeOrThrow(catalogue: ReportCatalogue, name: string | undefined): ReportTypeDefinition {
  const definition = name === undefined ? undefined : catalogue.find(name);
  if (definition !== undefined) return definition;
  const types = catalogue.list().map(({ type }) => type);
  throw new DomainError(
    "not-found",
    "report-type-not-found",
    `There is no such report type. There are ${types.join(", ")}.`,
  );
}
