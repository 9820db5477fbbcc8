import { authorityRule, isAuthority, type RegisteredReportType } from "@reports/core/report";
import { ConfigurationError } from "@reports/runtime";

export function assertValidAuthorityOverrides(
  overrides: Readonly<Record<string, string>> = {},
  types: readonly RegisteredReportType[],
): void {
  const served = types.map(({ definition }) => definition.type);
  const problems = Object.entries(overrides).flatMap(([type, authority]) => [
    ...(served.includes(type) ? [] : [`${type} is not a report type of this deployment: ${served.join(", ")} are`]),
    ...(isAuthority(authority) ? [] : [`the authority of ${type} must be ${authorityRule}`]),
  ]);
  if (problems.length === 0) return;
  throw new ConfigurationError(problems.map((message) => ({ variable: "AUTH_REPORT_AUTHORITIES", message })));
}
