import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CommandFailure, runCommand, type CommandContext } from "./command-line.ts";
import { startApi } from "./running-api.ts";

const help = `Usage: pnpm sqlmap [--all]

Starts the API on demo data, on the loopback interface, and lets sqlmap (Debian's) try to inject SQL through the parameters
of lists, starts, downloads, paths and bodies. Takes some minutes.

  --all   higher level and risk: many more payloads

Exit codes: 0 nothing was found, 1 something was, 2 wrong usage.
`;

/** What is tried: the stars mark the places in paths and bodies, the names those in queries. */
const targets: readonly { readonly path: string; readonly parameters?: string; readonly body?: string }[] = [
  { path: "/v1/proxies?q=a&name=a&sort=name&limit=5", parameters: "q,name,sort,limit" },
  { path: "/v1/proxies?region=a&ownerTeam=a&tag=a&cursor=a", parameters: "region,ownerTeam,tag,cursor" },
  {
    path: "/v1/domains?q=a&hostname=a.example&hostnameSuffix=example&upstreamHost=a",
    parameters: "q,hostname,hostnameSuffix,upstreamHost",
  },
  { path: "/v1/domains?proxyName=a&certIssuer=a&sort=hostname", parameters: "proxyName,certIssuer,sort" },
  { path: "/v1/reports?requestedBy=a&sort=createdAt&reportType=PROXY", parameters: "requestedBy,sort,reportType" },
  { path: "/v1/report?reportType=PROXY&searchParam=a&sort=name&columns=name", parameters: "searchParam,sort,columns" },
  { path: "/v1/report/download?reportType=PROXY&id=a", parameters: "reportType,id" },
  { path: "/v1/proxies/1*" },
  { path: "/v1/reports", body: '{"reportType":"PROXY","searchParam":{"q":"a*","name":["a*"]},"title":"a*"}' },
];

await runCommand(async ({ args }: CommandContext) => {
  const { values } = parseArgs({
    args: [...args],
    options: { all: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) return void process.stdout.write(help);
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  const output = await mkdtemp(join(tmpdir(), "sqlmap-"));
  await using api = await startApi({
    proxies: 60,
    domains: 300,
    onProgress: say,
    // What is tried is what the API does with its input, not how it defends itself against so many requests.
    environment: {
      START_LIMIT_PER_MINUTE: "0",
      UNFINISHED_REPORT_LIMIT: "0",
      READ_LIMIT_PER_MINUTE: "0",
      OVERLOAD_QUEUE_LENGTH: "0",
      OVERLOAD_QUEUE_AGE_SECONDS: "0",
    },
  });
  const found: string[] = [];
  try {
    for (const { path, parameters, body } of targets) {
      say(`Trying ${path}.`);
      const text = await run(
        "sqlmap",
        [
          ["--url", `${api.url}${path}`],
          ["--header", `Authorization: Bearer ${api.token}`],
          ["--output-dir", output],
          ["--dbms", "PostgreSQL"],
          ["--batch", "--flush-session", "--disable-coloring"],
          ["--ignore-code", "400,404,422"],
          ["--technique", "BEUST", "--time-sec", "5", "--threads", "2", "--timeout", "15"],
          ["--level", values.all === true ? "5" : "1", "--risk", values.all === true ? "3" : "1"],
          parameters === undefined ? [] : ["-p", parameters],
          body === undefined
            ? []
            : [
                "--method",
                "POST",
                "--data",
                body,
                "--header",
                `Authorization: Bearer ${api.token}\nContent-Type: application/json`,
              ],
        ].flat(),
      );
      if (/is vulnerable|identified the following injection point/.test(text)) found.push(path);
    }
  } finally {
    await rm(output, { recursive: true, force: true });
  }
  if (found.length > 0) throw new CommandFailure(`sqlmap found something in: ${found.join(", ")}.`);
  say(`sqlmap found nothing in ${targets.length} requests' parameters.`);
});

async function run(program: string, parameters: readonly string[]): Promise<string> {
  const child = spawn(program, parameters, { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    process.stdout.write(chunk);
  });
  child.on("error", () => undefined);
  const [code] = (await once(child, "close")) as [number | null];
  if (child.pid === undefined) throw new CommandFailure("sqlmap is not installed: apt-get install sqlmap.");
  if (code !== 0) throw new CommandFailure(`sqlmap ended with code ${code}.`);
  return Buffer.concat(chunks).toString();
}
