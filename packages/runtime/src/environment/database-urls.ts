import { reportSourceVariable } from "./report-source-variables.ts";
import type { Secret } from "./secret.ts";

/** Returns every Postgres URL, keyed by its variable. The URLs contain passwords, so store them nowhere. */
export function databaseUrlsOf(configuration: {
  readonly databaseUrl: Secret;
  readonly reportDatabaseUrl?: Secret | undefined;
  readonly reportSources: Readonly<Record<string, { readonly url: Secret }>>;
}): Readonly<Record<string, string>> {
  const { databaseUrl, reportDatabaseUrl, reportSources } = configuration;
  const urls: Record<string, string> = { DATABASE_URL: databaseUrl.reveal() };
  if (reportDatabaseUrl !== undefined) urls["REPORT_DATABASE_URL"] = reportDatabaseUrl.reveal();
  for (const [name, { url }] of Object.entries(reportSources)) urls[reportSourceVariable(name)] = url.reveal();
  return urls;
}
