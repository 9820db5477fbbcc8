import type { ReportTypeDefinition } from "@reports/core/report";
import { demoScheduleOwner } from "./demo-schedule.ts";
import { demoUsers } from "./demo.ts";

/** The first steps for a person, once the service is ready. */
export function walkThrough(options: {
  /** How this machine reaches the service, without a proxy. */
  readonly origin: string;
  /** `PUBLIC_BASE_PATH`; empty without one. */
  readonly basePath: string;
  /** The embedded database and its users; null with an external database. */
  readonly demo: { readonly passwords: Readonly<Record<string, string>>; readonly databaseUrl: string } | null;
  readonly hasConsole: boolean;
  /** At least one. */
  readonly definitions: readonly ReportTypeDefinition[];
}): string {
  const { origin, basePath, demo, definitions, hasConsole } = options;
  const lines = [`The report gateway is ready at ${origin}.`, ""];
  if (basePath !== "")
    lines.push(
      `PUBLIC_BASE_PATH is ${basePath}: links in answers begin with it, and lead somewhere once a proxy in front of the gateway strips it.`,
      "",
    );
  if (hasConsole) lines.push(`Its console: ${origin}/console${signIn(demo?.passwords)}`, "");
  if (demo === null) {
    lines.push(
      "The database is your own, so there are no demo users and no demo data: make a user with `pnpm operate users create NAME`.",
      "",
    );
  } else {
    const width = Math.max(...demoUsers.map(({ name }) => name.length));
    lines.push("Demo users (the same at every start):");
    for (const { name, role } of demoUsers) lines.push(`  ${name.padEnd(width)}  ${demo.passwords[name]}  ${role}`);
    lines.push("", "The database, which this machine alone can reach:", `  psql '${demo.databaseUrl}'`, "");
  }
  lines.push(`Report types: ${definitions.map(({ type }) => type).join(", ")}`, "");
  const credentials = demo === null ? "NAME:PASSWORD" : `reader:${demo.passwords.reader}`;
  const { type, format, file } = firstReport(definitions);
  lines.push(
    "Your first report: start it, follow it, download it.",
    `  ID=$(curl -sSf -u ${credentials} '${origin}/v1/report?reportType=${type}&format=${format}' | sed -E 's/.*"id":"([^"]+)".*/\\1/')`,
    `  curl -sSf -u ${credentials} -H 'Prefer: wait=30' ${origin}/v1/reports/$ID`,
    // The response is 202 and a record until the report has ended. The record must not become the file.
    `  while STATUS=$(curl -sS -u ${credentials} -H 'Prefer: wait=30' -o ${file}.part -w '%{http_code}' "${origin}/v1/report/download?reportType=${type}&id=$ID"); [ "$STATUS" = 202 ]; do sleep 1; done`,
    `  if [ "$STATUS" = 200 ]; then mv ${file}.part ${file}; else cat ${file}.part; false; fi`,
    "Or all of it by the command line, in this folder:",
    `  ${commandLine(origin, demo?.passwords["reader"], `run ${type} --format ${format} -o ${file}`)}`,
    ...(demo === null
      ? []
      : [
          `A schedule of ${demoScheduleOwner}'s makes a report every morning at six (UTC), until it is paused or deleted:`,
          `  ${commandLine(origin, demo.passwords[demoScheduleOwner], "schedules list")}`,
        ]),
    "",
    "Ctrl-C stops everything in order. The next start finds its data again.",
  );
  return lines.join("\n");
}

/** The user who sees the most without doing harm. */
function signIn(passwords: Readonly<Record<string, string>> | undefined): string {
  return passwords === undefined ? "" : ` (sign in as reader, ${passwords["reader"]})`;
}

/** The demo's domains as PDF, or the first type if they are not served. */
export function firstReport(definitions: readonly ReportTypeDefinition[]): {
  readonly type: string;
  readonly format: string;
  readonly file: string;
} {
  const { type, formats } = definitions.find((definition) => definition.type === "PROXY_DOMAIN") ?? definitions[0]!;
  const format = "pdf" in formats ? "pdf" : Object.keys(formats)[0]!;
  return { type, format, file: `${type === "PROXY_DOMAIN" ? "domains" : type.toLowerCase()}.${format}` };
}

/** A command for reader, or for the caller's own user. npm runs the command of this checkout, never one of the registry. */
function commandLine(origin: string, password: string | undefined, words: string): string {
  const user = password === undefined ? "NAME" : "reader";
  const environment = `REPORTS_URL=${origin} REPORTS_USER=${user} REPORTS_PASSWORD=${password ?? "PASSWORD"}`;
  return `${environment} npm exec --no -- reports ${words}`;
}
