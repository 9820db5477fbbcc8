import { demoUsers } from "./demo.ts";

/** What a person can do first, once the service is ready. */
export function walkThrough(options: {
  readonly origin: string;
  readonly passwords: Readonly<Record<string, string>> | null;
}): string {
  const { origin, passwords } = options;
  const lines = [`The report gateway is ready at ${origin}.`, ""];
  if (passwords === null) {
    lines.push(
      "The database is your own, so there are no demo users and no demo data: make a user with `pnpm users create NAME`.",
      "",
    );
  } else {
    const width = Math.max(...demoUsers.map(({ name }) => name.length));
    lines.push("Demo users (the same at every start):");
    for (const { name, role } of demoUsers) lines.push(`  ${name.padEnd(width)}  ${passwords[name]}  ${role}`);
    lines.push("");
  }
  const credentials = passwords === null ? "NAME:PASSWORD" : `reader:${passwords.reader}`;
  lines.push(
    "Your first report: start it, follow it, download it.",
    `  ID=$(curl -sS -u ${credentials} '${origin}/v1/report?reportType=PROXY_DOMAIN&format=pdf' | sed -E 's/.*"id":"([^"]+)".*/\\1/')`,
    `  curl -sS -u ${credentials} -H 'Prefer: wait=30' ${origin}/v1/reports/$ID`,
    `  curl -sS -u ${credentials} -o domains.pdf "${origin}/v1/report/download?reportType=PROXY_DOMAIN&id=$ID"`,
    "",
    "Ctrl-C stops everything in order. The next start finds its data again.",
  );
  return lines.join("\n");
}
