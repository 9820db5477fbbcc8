import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import {
  balancerNames,
  findFreePort,
  findProgramPath,
  startBalancer,
  waitFor,
  type Balancer,
  type BalancerName,
  type StandProcess,
  type BalancerUpstream,
} from "@reports/testing";
import { CommandExitError, runCommand, type CommandContext } from "@reports/commands";
import { printToStderr, startDemoDataStand } from "./command-stand.ts";

const callerCount = 8;

interface RestartedUpstream extends BalancerUpstream {
  readonly api: StandProcess;
  readonly probePort: number;
}

interface RequestTally {
  readonly outcomes: ReadonlyMap<string, number>;
  readonly duringRestarts: number;
}

async function sendDuring(
  url: string,
  tokenOf: (subject: string) => string,
  { requests, restart }: { readonly requests: number; restart(): Promise<void> },
): Promise<RequestTally> {
  const outcomes = new Map<string, number>();
  let [sent, duringRestarts] = [0, 0];
  const state = { isRestarting: true };
  const restarted = restart().finally(() => (state.isRestarting = false));
  const call = async (token: string): Promise<void> => {
    while (sent < requests || state.isRestarting) {
      sent++;
      const outcome = await fetch(`${url}/v1/proxies?limit=1`, { headers: { Authorization: `Bearer ${token}` } }).then(
        async (response) => {
          await response.arrayBuffer();
          return String(response.status);
        },
        (error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error),
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (state.isRestarting) duringRestarts++;
    }
  };
  await Promise.all([
    restarted,
    ...Array.from({ length: callerCount }, async (_, index) => call(tokenOf(`caller-${index}`))),
  ]);
  return { outcomes, duringRestarts };
}

/** Waits until the balancer sends requests of callers to a restarted API. Else the other API could stop while no API is in use. */
async function waitUntilBalanced({ api, probePort }: RestartedUpstream): Promise<void> {
  const served = /^reports_http_requests_total\{route="\/v1\/proxies",[^}]*status="200"\} [1-9]/m;
  const isServing = async (): Promise<boolean> =>
    served.test(await (await fetch(`http://127.0.0.1:${probePort}/metrics`)).text());
  await waitFor(isServing, { what: `${api.name} to serve a balanced request` });
}

async function hidesTokens({ url, readLog }: Balancer): Promise<boolean> {
  const token = "a-token-that-nobody-may-read";
  await (await fetch(`${url}/v1/links/${token}`)).arrayBuffer();
  await (await fetch(`${url}/v1/report-types?seen-after-it`)).arrayBuffer();
  await waitFor(async () => (await readLog()).includes("seen-after-it"), { what: "the balancer to log a request" });
  return !(await readLog()).includes(token);
}

async function hidesMetrics({ url }: Balancer): Promise<boolean> {
  const spellings = ["/metrics", "/METRICS", "/metrics/", "/%6Detrics", "//metrics", "/metrics?all"];
  const bodies = await Promise.all(spellings.map(async (path) => (await fetch(`${url}${path}`)).text()));
  return bodies.every((body) => !body.includes("# TYPE"));
}

/** Reports whether the balancer keeps the ETag of a compressed response, so that a caller can send it in `If-Match`. */
async function keepsEntityTags(url: string, token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Accept-Encoding": "gzip" };
  const [proxy] = (await (await fetch(`${url}/v1/proxies?limit=1`, { headers })).json()) as { id: string }[];
  const path = `${url}/v1/proxies/${proxy!.id}`;
  const read = await fetch(path, { headers });
  await read.arrayBuffer();
  const body = JSON.stringify({ region: "behind-a-balancer" });
  const etag = read.headers.get("ETag") ?? "";
  const written = await fetch(path, { method: "PATCH", headers: { ...headers, "If-Match": etag }, body });
  await written.arrayBuffer();
  return written.status === 201;
}

async function passesLongHeaders(url: string, token: string): Promise<boolean> {
  const values = Array.from({ length: 60 }, () => `ownerTeam=${randomBytes(16).toString("hex")}`);
  const query = ["kind=REVERSE", "kind=FORWARD", "kind=STREAM", "limit=1"].join("&");
  const get = async (path: string) => fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const teams = (await (await get("/v1/proxies?limit=200")).json()) as { ownerTeam: string | null }[];
  const known = [...new Set(teams.flatMap(({ ownerTeam }) => ownerTeam ?? []))].slice(0, 5);
  const owned = known.map((team) => `ownerTeam=${encodeURIComponent(team)}`);
  const list = await get(`/v1/proxies?${[query, ...owned, ...values].join("&")}`);
  await list.arrayBuffer();
  const link = list.headers.get("Link") ?? "";
  return list.status === 200 && link.length > 1_500;
}

await runCommand(async ({ args }: CommandContext) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { requests: { type: "string", default: "4000" } },
  });
  const requests = Number(values.requests);
  const isKnown = (name: string): name is BalancerName => balancerNames.some((known) => known === name);
  if (!Number.isSafeInteger(requests) || !positionals.every(isKnown))
    throw new CommandExitError(`Name only ${balancerNames.join(" and ")}, and give --requests a number.`, 2);
  const names = positionals.length === 0 ? balancerNames : positionals;
  for (const name of names)
    if (findProgramPath(name, ["/usr/sbin"]) === null) throw new CommandExitError(`apt-get install ${name}`);
  const environment = { READ_LIMIT_PER_MINUTE: "0", TRUSTED_PROXY_HOPS: "1", SHUTDOWN_DELAY_SECONDS: "4" };
  await using stand = await startDemoDataStand({ proxies: 60, domains: 300, environment });
  const upstream = async (): Promise<RestartedUpstream> => {
    const probePort = await findFreePort();
    const api = await stand.addApi({ environment: { PROBE_PORT: String(probePort) } });
    return { api, origin: api.origin, probePort };
  };
  const upstreams = [await upstream(), await upstream()] as const;
  const failed: string[] = [];
  for (const name of names) {
    await using balancer = await startBalancer(name, upstreams);
    const { outcomes, duringRestarts } = await sendDuring(balancer.url, (subject) => stand.token(subject), {
      requests,
      async restart() {
        for (const upstream of upstreams) {
          await upstream.api.restart();
          await waitUntilBalanced(upstream);
        }
      },
    });
    const summary = [...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(", ");
    printToStderr(`${name}: ${summary}; ${duringRestarts} of these requests during two restarts.`);
    if ([...outcomes.keys()].some((outcome) => outcome !== "200") || duringRestarts === 0)
      failed.push(`${name} did not return 200 for every request`);
    if (!(await hidesTokens(balancer))) failed.push(`${name} logged the token of a link`);
    const token = stand.token("writer");
    if (!(await keepsEntityTags(balancer.url, token))) failed.push(`${name} changed an entity tag`);
    if (!(await passesLongHeaders(balancer.url, token))) failed.push(`${name} did not pass the headers of a list`);
    if (!(await hidesMetrics(balancer))) failed.push(`${name} exposed the metrics to callers`);
  }
  if (failed.length > 0) throw new CommandExitError(`${failed.join("; ")}.`);
});
