import type { Endpoint } from "../endpoint/endpoint.ts";

/** Which endpoint answers what, as a Markdown table: for docs/endpoints.md. */
export function endpointTable(endpoints: readonly Endpoint[]): string {
  const statuses = [...new Set(endpoints.flatMap(({ responses }) => Object.keys(responses)))].toSorted(
    (a, b) => Number(a) - Number(b),
  );
  const rows = endpoints.map(
    ({ method, path, access, responses }) =>
      `| ${method} | \`${path}\` | ${accessOf(access)} | ${statuses.map((status) => (Object.hasOwn(responses, status) ? "●" : "")).join(" | ")} |`,
  );
  const lists = endpoints.flatMap(({ path, list }) =>
    list === undefined ? [] : [`| \`${path}\` | ${list.filters.join(", ")} | ${list.sorts.join(", ")} |`],
  );
  return `# Endpoints

Made by \`pnpm endpoint-table\` from the data that the routes are made of; a test compares it. HEAD answers as GET does on every path, OPTIONS answers 204.
Any request may also be answered with 405, 408, 431 and 500.

| Method | Path | Needs | ${statuses.join(" | ")} |
|---|---|---|${statuses.map(() => "---").join("|")}|
${rows.join("\n")}

## Records of the register

PUT replaces the whole record but for what probes observe (of a proxy \`health\`, \`lastCheckedAt\`, \`latencyMsP95\`; of a domain \`requests24h\`, \`bytesOut24h\`, \`errorRate5xx24h\`,
\`lastCheckedAt\`): a body may carry that, and it is checked and not stored. POST and PATCH write it. A write that changes nothing changes neither \`ETag\` nor \`updatedAt\`. The entity tag is
\`"<configuration>-<observations>"\`; \`If-None-Match\` compares the whole, \`If-Match\` the first part alone, so that a probe does not break a person's write (decision 0026).

## Waiting for a report

\`Prefer: wait=N\` (RFC 7240; at most 30 seconds) makes both starts, the record and the literal download answer when the report is finished, after N seconds at the latest. \`Preference-Applied\` says that it was
heeded. A start is committed before the wait and answers 202 with the record as it is then, FAILED included; a repeat under its \`Idempotency-Key\` waits too. The
download then answers as without the header. HEAD never waits, and a caller who waits twenty times already (\`WATCH_LIMIT_PER_PRINCIPAL\`) is answered at once.

## Lists

Different filters must all hold, of several values of one filter any. \`sort\` takes up to five fields, \`-\` in front for descending; ties are broken by id, and
records without a value come last in both directions. Reports are sorted by few fields, because each has an index ([decision 0019](decisions/0019-lists-of-reports-are-flat.md)). What the words mean: [the contract](contract.md#16-filters).

A list ends after three seconds (503 \`list-too-slow\`), and three of a principal are read at once (429 \`too-many-lists\`; decision 0022). \`count=exact\` sends
\`X-Total-Count\` up to 10,000, and above that \`X-Total-Count-At-Least: 10001\` instead.

| Path | Filters | Sorts |
|---|---|---|
${lists.join("\n")}
`;
}

function accessOf(access: Endpoint["access"]): string {
  switch (access.kind) {
    case "public":
      return "–";
    case "authority":
      return `\`${access.authority}\``;
    case "report-type":
      return `the authority of the report type (${access.in})`;
    case "report":
      if (access.in === "query") return "the authority of the report type (query)";
      return `the authority of the report's type${access.changes === true ? ", as its requester or with `REPORTS_ADMIN`" : ""}`;
    case "password":
      return "name and password";
    case "authenticated":
      return "credentials";
  }
}
