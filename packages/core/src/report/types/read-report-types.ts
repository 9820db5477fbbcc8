import { coreVersion } from "../../base/version.ts";
import { authorityRule, isAuthority } from "./authority.ts";
import { formatDefinitionName, findCatalogueProblems } from "./catalogue.ts";
import { reportTypesBrand, type ReportTypes } from "./define-report-types.ts";
import type { RegisteredReportType } from "./type-definition.ts";

/** Result of `readReportTypes`: usable report types, or the problems that make them unusable. */
export type ReadReportTypes =
  | { readonly ok: true; readonly reportTypes: readonly RegisteredReportType[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads and validates the default export of a package of report types. Any copy of this package with the same major version can have made it.
 * Does not throw.
 */
export function readReportTypes(value: unknown): ReadReportTypes {
  if (!hasReportTypesBrand(value))
    return refuseReportTypes("the default export is not what defineReportTypes([…]) of @reports/core gives.");
  const made = value[reportTypesBrand];
  if (majorVersionOf(made) !== majorVersionOf(coreVersion))
    return refuseReportTypes(
      `it was made by @reports/core ${made}, and this is ${coreVersion}: their major versions must be equal.`,
    );
  const { reportTypes } = value;
  if (reportTypes.length === 0) return refuseReportTypes("it defines no report types.");
  const problems = [
    ...findCatalogueProblems(reportTypes.map(({ definition }) => definition)),
    ...reportTypes.flatMap(({ definition, authority }) =>
      isAuthority(authority) ? [] : [`${formatDefinitionName(definition)}: its authority must be ${authorityRule}.`],
    ),
  ];
  return problems.length === 0 ? { ok: true, reportTypes } : { ok: false, problems };
}

function refuseReportTypes(...problems: readonly string[]): ReadReportTypes {
  return { ok: false, problems };
}

function hasReportTypesBrand(value: unknown): value is ReportTypes {
  return (
    typeof value === "object" && value !== null && typeof (value as Partial<ReportTypes>)[reportTypesBrand] === "string"
  );
}

function majorVersionOf(version: string): string {
  return version.split(".", 1)[0]!;
}
