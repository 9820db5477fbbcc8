import { sourceUrlVariableName } from "./define-report-source-variables.ts";
import type { Secret } from "./secret.ts";

export function databaseUrlsOf(configuration: {
  readonly databaseUrl: Secret;
  readonly reportDatabaseUrl?: Secret | undefined;
  readonly reportSources: Readonly<Record<string, { readonly url: Secret }>>;
}): Readonly<Record<string, Secret>> {
  const { databaseUrl, reportDatabaseUrl, reportSources } = configuration;
  const urls: Record<string, Secret> = { DATABASE_URL: databaseUrl };
  if (reportDatabaseUrl !== undefined) urls["REPORT_DATABASE_URL"] = reportDatabaseUrl;
  for (const [name, { url }] of Object.entries(reportSources)) urls[sourceUrlVariableName(name)] = url;
  return urls;
}
