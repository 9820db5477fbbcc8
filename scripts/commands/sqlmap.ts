import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CommandFailure, runCommand, type CommandContext } from "@reports/commands";
import { startApi } from "./running-api.ts";

/** For how long the parameters of one request are tried; what is left then is said. */
const minutesEach = 6;

const help = `Usage: pnpm sqlmap [--short | --all]

Starts the API on demo data, on the loopback interface, and lets sqlmap (Debian's) try to inject SQL through the parameters
of lists, starts, downloads, paths and bodies, and through the name of a login: level 3, risk 2. A request's parameters are
tried for ${minutesEach} minutes at most. Says how many requests there were, and which statuses they were answered with.

  --short   level 1, risk 1
  --all     level 5, risk 3: many more payloads

Exit codes: 0 nothing was found, 1 something was, 2 wrong usage.
`;

interface Target {
  readonly path: string;
  readonly parameters?: string;
  readonly body?: string;
  /** Instead of a token's. What is put in for the star is encoded as Basic credentials are. */
  readonly authorization?: string;
}

/**
 * What is tried: the stars mark the places in paths, bodies and credentials, the names those in queries. Each request is right and finds
 * something as it stands, because a difference can be seen only against an answer that is not an error.
 */
async function targetsAt(url: string, token: string): Promise<readonly Target[]> {
  const get = async (path: string): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const list = await get("/v1/proxies?limit=5&tag=edge");
  const cursor = /[?&]cursor=([^&>]+)/.exec(list.headers.get("Link") ?? "")?.[1];
  const [proxy] = (await list.json()) as { id: string; name: string; region: string; ownerTeam: string }[];
  const [domain] = (await (await get("/v1/domains?limit=1&tlsMode=ACME")).json()) as Record<string, string>[];
  const report = (await (await get("/v1/report?reportType=PROXY&format=csv")).json()) as { id: string };
  if (cursor === undefined || proxy === undefined || domain === undefined)
    throw new CommandFailure("The demo data hold too little to try anything on.");
  const queries = [
    { path: "/v1/proxies", query: { q: proxy.name, sort: "name", limit: "5" } },
    { path: "/v1/proxies", query: { name: proxy.name, tag: "edge", kind: "REVERSE,FORWARD", port: "443" } },
    {
      path: "/v1/proxies",
      query: { region: proxy.region, ownerTeam: proxy.ownerTeam, createdTo: "2100-01-01T00:00:00Z" },
    },
    { path: "/v1/domains", query: { q: "e", hostname: domain["hostname"]!, hostnameSuffix: domain["hostname"]! } },
    { path: "/v1/domains", query: { upstreamHost: domain["upstreamHost"]!, certIssuer: domain["certIssuer"]! } },
    { path: "/v1/domains", query: { proxyName: proxy.name, sort: "-certNotAfter,hostname", count: "exact" } },
    { path: `/v1/proxies/${proxy.id}/domains`, query: { q: "e", severity: "OK", sort: "hostname" } },
    { path: "/v1/reports", query: { reportType: "PROXY", requestedBy: "command", sort: "createdAt" } },
    {
      path: "/v1/report",
      query: { searchParam: proxy.name, sort: "name", columns: "name", format: "csv", timezone: "UTC", title: "a" },
      fixed: "reportType=PROXY&",
    },
    { path: "/v1/report/download", query: { reportType: "PROXY", id: report.id } },
  ];
  return [
    ...queries.map(({ path, query, fixed = "" }) => ({
      path: `${path}?${fixed}${new URLSearchParams(query).toString()}`,
      parameters: Object.keys(query).join(","),
    })),
    // Alone, because a cursor is one of its own filters and sort.
    { path: `/v1/proxies?limit=5&tag=edge&cursor=${cursor}`, parameters: "cursor,tag" },
    { path: `/v1/proxies/${proxy.id}*` },
    { path: `/v1/reports/${report.id}*` },
    {
      path: "/v1/reports",
      body: '{"reportType":"PROXY","searchParam":{"q":"a*","name":["a*"]},"sort":["name*"],"title":"a*"}',
    },
    { path: "/v1/report-types", authorization: "Basic *" },
  ];
}

/** A name needs a password behind it, or the credentials are malformed and no user is looked for. */
const basicCredentials = `
import base64

def dependencies():
    pass

def tamper(payload, **kwargs):
    return base64.b64encode(((payload or "") + ":x").encode()).decode()
`;

await runCommand(async ({ args }: CommandContext) => {
  const { values } = parseArgs({
    args: [...args],
    options: { all: { type: "boolean" }, short: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) return void process.stdout.write(help);
  const strength =
    values.all === true
      ? ["--level", "5", "--risk", "3"]
      : values.short === true
        ? ["--level", "1", "--risk", "1"]
        : ["--level", "3", "--risk", "2"];
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
      LOGIN_FAILURE_LIMIT_PER_MINUTE: "0",
      ACCOUNT_FAILURE_LIMIT_PER_MINUTE: "0",
      READ_LIMIT_PER_MINUTE: "0",
      OVERLOAD_QUEUE_LENGTH: "0",
      OVERLOAD_QUEUE_AGE_SECONDS: "0",
    },
  });
  const tamper = join(output, "basic_credentials.py");
  await writeFile(tamper, basicCredentials);
  await writeFile(join(output, "__init__.py"), "");
  const targets = await targetsAt(api.url, api.token);
  const found: string[] = [];
  const unfinished: string[] = [];
  try {
    for (const target of targets) {
      const { path } = target;
      say(`Trying ${path}.`);
      const { text, isFinished } = await run(
        "sqlmap",
        [
          ["--url", `${api.url}${path}`],
          ["--output-dir", output],
          ["--dbms", "PostgreSQL"],
          ["--batch", "--flush-session", "--disable-coloring", "--skip-waf"],
          ["--ignore-code", "400,401,404,422"],
          ["--technique", "BEUST", "--time-sec", "5", "--threads", "2", "--timeout", "15"],
          strength,
          optionsOf(target, api.token),
          target.authorization === undefined ? [] : ["--tamper", tamper],
        ].flat(),
      );
      if (/is vulnerable|identified the following injection point/.test(text)) found.push(path);
      if (!isFinished) unfinished.push(path);
    }
    say(`Answers: ${await countAnswers(api.url)}.`);
  } finally {
    await rm(output, { recursive: true, force: true });
  }
  if (unfinished.length > 0) say(`Not finished after ${minutesEach} minutes: ${unfinished.join(", ")}.`);
  if (found.length > 0) throw new CommandFailure(`sqlmap found something in: ${found.join(", ")}.`);
  say(`sqlmap found nothing in the parameters of ${targets.length} requests.`);
});

function optionsOf({ parameters, body, authorization }: Target, token: string): readonly string[] {
  const headers = [`Authorization: ${authorization ?? `Bearer ${token}`}`];
  if (body !== undefined) headers.push("Content-Type: application/json");
  return [
    ["--headers", headers.join("\n")],
    parameters === undefined ? [] : ["-p", parameters],
    body === undefined ? [] : ["--method", "POST", "--data", body],
  ].flat();
}

/** How many requests were answered with which status, as the API has counted them. */
async function countAnswers(url: string): Promise<string> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = new Map<string, number>();
  for (const [, status = "", count] of metrics.matchAll(
    /^reports_http_requests_total\{.*status="(\d+)".*\} (\d+)$/gm,
  )) {
    counts.set(status, (counts.get(status) ?? 0) + Number(count));
  }
  return [...counts].map(([status, count]) => `${count} of ${status}`).join(", ");
}

async function run(
  program: string,
  parameters: readonly string[],
): Promise<{ readonly text: string; readonly isFinished: boolean }> {
  const child = spawn(program, parameters, { stdio: ["ignore", "pipe", "inherit"], timeout: minutesEach * 60_000 });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    process.stdout.write(chunk);
  });
  child.on("error", () => undefined);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  if (child.pid === undefined) throw new CommandFailure("sqlmap is not installed: apt-get install sqlmap.");
  const isFinished = signal === null;
  if (isFinished && code !== 0) throw new CommandFailure(`sqlmap ended with code ${code}.`);
  return { text: Buffer.concat(chunks).toString(), isFinished };
}
