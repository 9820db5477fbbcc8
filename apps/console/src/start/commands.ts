import type { ReportStart } from "@reports/client";

/** Ways to start the same report without the console. */
export const ways = ["curl", "CLI", "TypeScript"] as const;
export type Way = (typeof ways)[number];

/** What one would type or write to start this report. It holds no password. */
export function commandOf(
  way: Way,
  start: ReportStart,
  caller: { readonly baseUrl: string; readonly name: string },
): string {
  const { baseUrl, name } = caller;
  if (way === "curl")
    return [
      `curl -sS -u ${quoted(name)} ${quoted(`${baseUrl}/v1/reports`)} \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d ${quoted(JSON.stringify(start))}`,
    ].join("\n");
  if (way === "CLI")
    return [
      `REPORTS_URL=${quoted(baseUrl)} REPORTS_USER=${quoted(name)} \\`,
      `  reports run ${flagsOf(start).join(" ")}`,
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

function flagsOf({
  reportType,
  searchParam,
  columns,
  sort,
  csvBom,
  keepRows,
  ...rest
}: ReportStart): readonly string[] {
  const where = Object.entries(typeof searchParam === "object" ? (searchParam ?? {}) : {}).flatMap(([name, value]) =>
    [value].flat().map((one) => `--where ${quoted(`${name}=${one}`)}`),
  );
  const texts = Object.entries(rest).map(
    ([name, value]) =>
      `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${quoted(String(value))}`,
  );
  const keys = [
    ...(columns ? [`--columns ${quoted(columns.join(","))}`] : []),
    // A sort may begin with a minus, which is no flag.
    ...(sort ? [`--sort=${quoted(sort.join(","))}`] : []),
    ...(csvBom === false ? ["--no-csv-bom"] : []),
    ...(keepRows === true ? ["--keep-rows"] : []),
  ];
  return [quoted(reportType), ...texts, ...where, ...keys];
}

/** A word of a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
