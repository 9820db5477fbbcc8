import { flagNameOf, type ReportStart } from "@reports/client";
import { startOptionEntries } from "./start-options.ts";

export const startCommandKinds = ["curl", "CLI", "TypeScript"] as const;
export type StartCommandKind = (typeof startCommandKinds)[number];

/** Returns a curl command, a CLI command or a TypeScript program that starts the same report as the form. Its password is a placeholder. */
export function buildStartCommand(
  kind: StartCommandKind,
  start: ReportStart,
  caller: { readonly baseUrl: string; readonly name: string },
): string {
  const { baseUrl, name } = caller;
  if (kind === "curl")
    return [
      `curl -sS -u ${quoteForShell(name)} ${quoteForShell(`${baseUrl}/v1/reports`)} \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d ${quoteForShell(JSON.stringify(start))}`,
    ].join("\n");
  if (kind === "CLI")
    return [
      `REPORTS_URL=${quoteForShell(baseUrl)} REPORTS_USER=${quoteForShell(name)} \\`,
      `  reports run ${buildFlags(start).join(" ")}`,
    ].join("\n");
  return [
    `import { createGateway } from "@reports/client";`,
    ``,
    `const gateway = createGateway({`,
    `  baseUrl: ${JSON.stringify(baseUrl)},`,
    `  credentials: { name: ${JSON.stringify(name)}, password: process.env.REPORTS_PASSWORD! },`,
    `});`,
    `await gateway.reports.run(${JSON.stringify(start, null, 2)}, { to: "." });`,
  ].join("\n");
}

function buildFlags(start: ReportStart): readonly string[] {
  const { reportType, searchParam } = start;
  const where = Object.entries(typeof searchParam === "object" ? (searchParam ?? {}) : {}).flatMap(([name, value]) =>
    [value].flat().map((one) => `--where ${quoteForShell(`${name}=${one}`)}`),
  );
  const given = startOptionEntries.flatMap(([name, { byDefault }]) => {
    const value = start[name];
    if (value === undefined || value === null) return [];
    const flag = flagNameOf(name);
    if (typeof value === "boolean" && byDefault === undefined) return [`--${flag} ${value ? "yes" : "no"}`];
    if (typeof value === "boolean") return value === byDefault ? [] : [value ? `--${flag}` : `--no-${flag}`];
    // A sort such as `-name` begins with a minus, so it needs the form `--sort=-name`. Otherwise the CLI reads it as a flag.
    return [`--${flag}${name === "sort" ? "=" : " "}${quoteForShell(String(value))}`];
  });
  return [quoteForShell(reportType), ...given, ...where];
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
