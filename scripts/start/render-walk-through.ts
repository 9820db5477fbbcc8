import type { ReportTypeDefinition } from "@reports/core/report";
import { demoScheduleOwner } from "./demo-schedule.ts";
import { demoUsers } from "./demo.ts";

export function renderWalkThrough(options: {
  /** Origin of the API on this machine. A proxy in front of it has another origin. */
  readonly origin: string;
  readonly basePath: string;
  /** Demo users and URL of the embedded database. Null if the user configured an external database. */
  readonly demo: { readonly passwords: Readonly<Record<string, string>>; readonly databaseUrl: string } | null;
  readonly hasConsole: boolean;
  readonly definitions: readonly ReportTypeDefinition[];
}): string {
  const { origin, basePath, demo, definitions, hasConsole } = options;
  const lines = [`The report gateway is ready at ${origin}.`, ""];
  if (basePath !== "")
    lines.push(
      `PUBLIC_BASE_PATH is ${basePath}: links in responses begin with it, and work only if a proxy in front of the gateway removes it.`,
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
  const { type, format, file } = chooseFirstReport(definitions);
  lines.push(
    "Your first report: start it, follow it, download it.",
    `  ID=$(curl -sSf -u ${credentials} '${origin}/v1/report?reportType=${type}&format=${format}' | sed -E 's/.*"id":"([^"]+)".*/\\1/')`,
    `  curl -sSf -u ${credentials} -H 'Prefer: wait=30' ${origin}/v1/reports/$ID`,
    // Until the report has ended, the response is 202 with the record of the report as JSON. It must not be saved as the file.
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

function signIn(passwords: Readonly<Record<string, string>> | undefined): string {
  return passwords === undefined ? "" : ` (sign in as reader, ${passwords["reader"]})`;
}

export function chooseFirstReport(definitions: readonly ReportTypeDefinition[]): {
  readonly type: string;
  readonly format: string;
  readonly file: string;
} {
  const { type, formats } = definitions.find((definition) => definition.type === "PROXY_DOMAIN") ?? definitions[0]!;
  const format = "pdf" in formats ? "pdf" : Object.keys(formats)[0]!;
  return { type, format, file: `${type === "PROXY_DOMAIN" ? "domains" : type.toLowerCase()}.${format}` };
}

/** Returns a CLI command for `reader`, or for a placeholder user without a password. `npm exec --no` never downloads a package. */
function commandLine(origin: string, password: string | undefined, words: string): string {
  const user = password === undefined ? "NAME" : "reader";
  const environment = `REPORTS_URL=${origin} REPORTS_USER=${user} REPORTS_PASSWORD=${password ?? "PASSWORD"}`;
  return `${environment} npm exec --no -- reports ${words}`;
}
