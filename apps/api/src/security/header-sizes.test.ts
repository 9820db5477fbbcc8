import { randomBytes } from "node:crypto";
import { Agent, createServer, request } from "node:http";
import { toFileName } from "@reports/core/report";
import { listen } from "@reports/runtime";
import { createTestCaseDivider, isFullTestRun } from "@reports/testing";
import { afterAll, expect, test } from "vitest";
import { createStaticText } from "../http/static-text.ts";
import { startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import { loadTestReportTypes } from "../test/loaded-types.ts";
import { createPermissionTestLister } from "../test/permission-targets.ts";

/** Size in bytes of the largest response head that nginx accepts by default (`proxy_buffer_size`). */
const nginxBytes = 4_096;
const proxyBytes = 256;
const basePath = `/${"p".repeat(199)}`;
const host = `${"h".repeat(60)}.`.repeat(4);
const origins = [`https://${host}issuer`, `https://${host}tokens`];

const api = await startApiUnderTest({
  basePath,
  publicUrl: `https://${host}example`,
  reportTypes: await loadTestReportTypes(),
  console: {
    page: createStaticText("page"),
    files: new Map(),
    signIn: { issuer: origins[0]!, clientId: "c", scope: "openid", origins: async () => origins },
  },
  limits: { starts: { perMinute: 1_000_000, unfinished: 1_000_000 }, requestsPerMinute: 1_000_000 },
});
const targetsOf = await createPermissionTestLister(api);
const allAuthorities = [...api.authorities.all, "REGISTRY_READ", "REGISTRY_WRITE", "REPORTS_ADMIN", "WEBHOOKS_WRITE"];
const token = await createTestToken(allAuthorities, "owner");
const owner = await api.as(allAuthorities, "owner");
// With a keep-alive timeout, the server could close an idle connection while the agent sends the next request over it.
const server = createServer({ keepAliveTimeout: 0 }, api.listener);
const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
const agent = new Agent({ keepAlive: true });
afterAll(async () => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
  await api[Symbol.asyncDispose]();
});

const longest = {
  "X-Request-Id": "r".repeat(64),
  Prefer: `wait=${"0".repeat(9)}`,
  "Accept-Encoding": "gzip",
};

interface Head {
  readonly status: number;
  readonly link: string | undefined;
  readonly bytes: number;
}

async function headOf(method: string, path: string, given: Record<string, string> = {}, body?: unknown): Promise<Head> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    Authorization: path === "/v1/tokens" ? basic : `Bearer ${token}`,
    ...(text === "" ? {} : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(text)) }),
    ...longest,
    ...given,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
      const fields = response.rawHeaders.join("").length + response.rawHeaders.length * 2;
      const bytes = `HTTP/1.1 ${response.statusCode} ${response.statusMessage}\r\n\r\n`.length + fields;
      resolve({ status: response.statusCode!, link: response.headers.link as string | undefined, bytes });
      // An event stream does not end, so its connection is closed. The next request opens another one.
      if (response.headers["content-type"] === "text/event-stream") response.destroy();
      else response.resume();
    });
    sent.on("error", reject).end(text);
  });
}

const basic = `Basic ${Buffer.from("nobody:wrong").toString("base64")}`;
function tooLong(heads: readonly (readonly [what: string, head: Head])[]): readonly string[] {
  return heads.flatMap(([what, { status, bytes }]) =>
    bytes > nginxBytes - proxyBytes ? `${what}: ${status} with ${bytes} bytes` : [],
  );
}

const forNextEndpoint = createTestCaseDivider();
const forNextTarget = createTestCaseDivider();
/** HEAD has the header fields of GET (negotiation.test.ts), so only CI sends it too. */
const readMethods = isFullTestRun ? ["GET", "HEAD"] : ["GET"];

test.each(api.endpoints)("every response of $operationId has a head that nginx accepts", async (endpoint) => {
  const { method, path } = endpoint;
  const isRead = method === "GET";
  const heads: [string, Head][] = [];
  const all = targetsOf(endpoint);
  const targets = forNextEndpoint(all, Math.min(all.length, 3));
  for (const { url, body, state } of targets) {
    const given: Record<string, string> = isRead ? {} : { "Idempotency-Key": randomBytes(127).toString("hex") };
    const changes = [{}, given, { Authorization: "Bearer x" }, { Accept: "image/png" }, { "If-Match": '"x"' }];
    const variants = forNextTarget(changes, Math.min(all.length, 3));
    for (const each of isRead ? readMethods : [method]) {
      const asked = variants.map((headers) => async () => headOf(each, url, headers, body));
      // Reads run concurrently. Writes run one after the other, because each may change the record.
      const read = isRead ? await Promise.all(asked.map(async (ask) => ask())) : [];
      for (const ask of isRead ? [] : asked) read.push(await ask());
      heads.push(...read.map((head): [string, Head] => [`${each} ${path} ${state}`, head]));
    }
  }
  expect(tooLong(heads)).toEqual([]);
});

test.each(["\u{fdfa}".repeat(120), "\u{20000}".repeat(60), "\u{1e9b}\u{323}".repeat(60), "'()*".repeat(30)])(
  "the download of a report with the title %s has a head that nginx accepts",
  async (title) => {
    const start = { reportType: "PROXY", format: "csv", title };
    const { body: report } = await owner.post("/v1/reports").send(start).expect(202);
    const options = { timezone: "UTC" } as never;
    const name = toFileName({ title, createdAt: new Date(), reportType: "PROXY", options }, "csv.zst");
    await api.succeed(report.id, "name\n", "csv", name);
    const head = await headOf("GET", `/v1/report/download?reportType=PROXY&id=${report.id}`);
    expect(head.status).toBe(200);
    expect(tooLong([[title, head]])).toEqual([]);
  },
);

async function longestQuery(path: string, query: string, filter: string, value: () => string): Promise<Head> {
  const values = Array.from({ length: 90 }, () => `&${filter}=${encodeURIComponent(value())}`);
  const ask = async (count: number) => headOf("GET", `${path}?${query}${values.slice(0, count).join("")}`);
  let best = await ask(0);
  for (let [accepted, refused] = [0, values.length + 1]; refused - accepted > 1;) {
    const count = Math.floor((accepted + refused) / 2);
    const head = await ask(count);
    if (head.status === 200) [accepted, best] = [count, head];
    else refused = count;
  }
  return best;
}

const hex = (bytes: number) => () => randomBytes(bytes).toString("hex");

test("the longest list queries get response heads that nginx accepts", async () => {
  const known = "known-to-the-records";
  const description = () => randomBytes(900).toString("base64");
  for (const index of [1, 2, 3])
    await owner
      .post("/v1/proxies")
      .send({
        name: `long-${index}`,
        kind: "STREAM",
        address: `${index}.example`,
        port: index,
        protocol: "TCP",
        ownerTeam: known,
        description: description(),
      })
      .expect(201);
  const sort = "sort=description,-contactEmail,name,address,softwareVersion";
  const heads = [
    await longestQuery("/v1/proxies", `limit=1&count=exact&ownerTeam=${known}`, "ownerTeam", hex(50)),
    await longestQuery("/v1/proxies", `limit=1&count=exact&${sort}&ownerTeam=${known}`, "ownerTeam", hex(16)),
    await longestQuery("/v1/reports", "limit=1&requestedBy=me", "requestedBy", () => `basic:${hex(30)()}`),
    await longestQuery("/v1/report-schedules", "limit=1&owner=me", "owner", () => `basic:${hex(30)()}`),
    await longestQuery(
      "/v1/report-schedules",
      "limit=1&createdFrom=thisYear-P9Y&timezone=America/Argentina/ComodRivadavia",
      "reportType",
      () => "PROXY",
    ),
  ];
  expect(tooLong(heads.map((head, index) => [`list ${index}`, head]))).toEqual([]);
  // In these lists, Link contains a long URL of the next page, so the response heads are as long as possible.
  expect(heads.slice(0, 3).map(({ link = "" }) => link.length > 1_500)).toEqual([true, true, true]);
});

test("a 429 has a response head that nginx accepts", async () => {
  await using limited = await startApiUnderTest({
    basePath,
    databaseUrl: api.databaseUrl,
    limits: { starts: { perMinute: 1, unfinished: 1 }, requestsPerMinute: 2, listsPerPrincipal: 1 },
  });
  const agent = await limited.as(allAuthorities, "hasty");
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) {
    const { status, headers } = await agent.post("/v1/reports").send({ reportType: "PROXY" }).set(longest);
    statuses.push(status);
    expect(JSON.stringify(headers).length).toBeLessThan(nginxBytes - proxyBytes);
  }
  expect(new Set(statuses)).toEqual(new Set([202, 429]));
});
