import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { isFullTestRun, waitFor } from "@reports/testing";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import request from "supertest";
import { startListenerUnderTest } from "../test/event-stream-reader.ts";
import { startApiUnderTest, createTestToken, builtInReportAuthorities } from "../test/api-under-test.ts";
import { maxProblemBytes, openHostileClient } from "../test/hostile-client.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";

const allAuthorities = [
  ...builtInReportAuthorities,
  "REGISTRY_READ",
  "REGISTRY_WRITE",
  "REPORTS_ADMIN",
  "WEBHOOKS_WRITE",
];
const unknownId = "018f0000-0000-7000-8000-00000000dead";
const longestQuery = 15_000;

let api: ApiUnderTest;
let authorization: string;

beforeAll(async () => {
  api = await startApiUnderTest();
  authorization = `Bearer ${await createTestToken(allAuthorities)}`;
});
afterAll(async () => api[Symbol.asyncDispose]());

function get(url: string) {
  return request(api.server).get(url).set("Authorization", authorization);
}

function post(path: string, body: string) {
  return request(api.server)
    .post(path)
    .set("Authorization", authorization)
    .set("Content-Type", "application/json")
    .send(body);
}

const many = (unit: (index: number) => string, separator: string, count: number): string =>
  Array.from({ length: count }, (_, index) => unit(index)).join(separator);
const unknownKeys = (count: number): string => `{${many((index) => `"k${index}":1`, ",", count)}}`;

test("thousands of malformed parameters cause one issue, even without credentials", async () => {
  const { status, text, body } = await request(api.server).get(`/health/live?${"%&".repeat(7_500)}`);
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(1_000);
  expect(body.errors).toMatchObject([{ code: "too_many_parameters" }]);
  expect(body.detail).toContain("7,500");
});

test("more than 100 query parameters cause one issue, and 100 are checked one by one", async () => {
  expect((await get(`/v1/proxies?${many((index) => `p${index}=1`, "&", 101)}`)).body.errors).toMatchObject([
    { code: "too_many_parameters" },
  ]);
  const { body } = await get(`/v1/proxies?${many((index) => `p${index}=1`, "&", 100)}`);
  expect(body.errors.length).toBeLessThanOrEqual(20);
  expect(body.errors[0]).toMatchObject({ code: "unknown_parameter", parameter: "p0" });
  expect(body.detail).toMatch(new RegExp(`… and ${100 - body.errors.length} more\\.$`));
});

test("for a query with too many parameters, 401 and 403 take precedence over 400", async () => {
  const pairs = many((index) => `p${index}=1`, "&", 500);
  expect((await request(api.server).get(`/v1/report?reportType=PROXY&${pairs}`)).status).toBe(401);
  const guest = await api.as([]);
  expect((await guest.get(`/v1/report?reportType=PROXY&${pairs}`)).status).toBe(403);
  expect((await guest.get(`/v1/report?${pairs}`)).body.code).toBe("invalid-report-type");
  expect((await get(`/v1/report?reportType=PROXY&${pairs}`)).body.errors).toMatchObject([
    { code: "too_many_parameters" },
  ]);
});

test.each([
  ["/v1/proxies", unknownKeys(20_000), "too_many_fields"],
  ["/v1/proxies", unknownKeys(201), "too_many_fields"],
  ["/v1/reports", `{"reportType":"PROXY","searchParam":${unknownKeys(201)}}`, "too_many_fields"],
  ["/v1/proxies", `{"tags":[${many(() => "1", ",", 100_000)}]}`, "too_many_values"],
])("too many items in a body to %s cause one issue", async (path, body, code) => {
  const answer = await post(path, body);
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toMatchObject([{ pointer: "", code }]);
});

test("for a body with too many items, 403 takes precedence over 422 except for starts", async () => {
  const guest = await api.as([]);
  const body = `{"reportType":"PROXY","k":${unknownKeys(500)}}`;
  expect((await guest.post("/v1/proxies").type("json").send(body)).status).toBe(403);
  expect((await guest.post("/v1/reports").type("json").send(body)).status).toBe(422);
  expect((await guest.post("/v1/reports").type("json").send(" ".repeat(300_000))).status).toBe(413);
});

test.each([
  ["/v1/proxies", unknownKeys(200)],
  ["/v1/reports", `{"reportType":"PROXY",${unknownKeys(190).slice(1)}`],
])("a problem lists at most 20 unknown fields of a body to %s and counts the rest", async (path, sent) => {
  const { status, body } = await post(path, sent);
  expect(status).toBe(422);
  expect(body.errors.length).toBeLessThanOrEqual(20);
  expect(body.detail).toMatch(/… and \d+ more\.$/);
});

test.each([
  ["`sort` of a list", `/v1/proxies?sort=${many(() => "a", ",", 7_000)}`],
  ["`sort` of a report", `/v1/report?reportType=PROXY&sort=${many(() => "a", ",", 7_000)}`],
  ["`columns` of a report", `/v1/report?reportType=PROXY&columns=${many(() => "a", ",", 7_000)}`],
])("thousands of keys in %s cause one issue", async (_, url) => {
  const { status, body } = await get(url);
  expect(status).toBe(400);
  expect(body.errors).toHaveLength(1);
  expect(body.errors[0].message).toContain("at most");
});

test("a header with thousands of elements is refused, or read up to the hundredth", async () => {
  const tags = many((index) => `"${index}"`, ",", 1_500);
  for (const header of ["If-None-Match", "If-Match"]) {
    const { status, body } = await get("/v1/report-types").set(header, tags);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ header, code: "malformed_header" }]);
  }
  expect(
    (
      await get("/v1/report-types").set(
        "If-None-Match",
        many((index) => `"${index}"`, ",", 100),
      )
    ).status,
  ).toBe(200);
  const accept = `${many(() => "a/b", ",", 3_000)},application/json`;
  expect((await get("/v1/report-types").set("Accept", accept)).status).toBe(406);
});

test.each([
  ["a name in a query", "/v1/proxies?" + "%01".repeat(5_000), undefined],
  ["a name in a body", "/v1/proxies", JSON.stringify({ ["\u0001".repeat(40_000)]: 1 })],
  [
    "names in a body",
    "/v1/proxies",
    JSON.stringify(
      Object.fromEntries(
        many((index) => `${index}${"\u0001".repeat(1_900)}`, ",", 20)
          .split(",")
          .map((name) => [name, 1]),
      ),
    ),
  ],
  [
    "a filter in a body",
    "/v1/reports",
    JSON.stringify({ reportType: "PROXY", searchParam: { ["\u0001".repeat(600)]: 1 } }),
  ],
  ["a value in a body", "/v1/proxies", JSON.stringify({ name: "\u0001".repeat(40_000), kind: "\u0001".repeat(1_000) })],
])("a problem about %s has at most 16 KiB, even if the value is long", async (_, path, body) => {
  const { status, text } = await (body === undefined ? get(path) : post(path, body));
  expect([400, 422]).toContain(status);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxProblemBytes);
});

test("the API answers 413 to a too large Content-Length without reading the body", async () => {
  for (const length of ["262145", "2147483648", "4294967296"]) {
    const answer = await request(api.server)
      .post("/v1/proxies")
      .set("Authorization", authorization)
      .set("Content-Type", "application/json")
      .set("Content-Length", length)
      .timeout(60_000)
      .send();
    expect(answer.status).toBe(413);
  }
});

test("unfinished bodies count against a byte limit of their caller only", async () => {
  await using server = await startListenerUnderTest(api.listener);
  const open = (): Socket => {
    const socket = connect(server.port, "127.0.0.1");
    const head = `POST /v1/proxies HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 262144\r\n\r\n`;
    socket.write(head);
    return socket;
  };
  // These bodies of 256 KiB reserve 4 MiB together, which is the limit per caller.
  const slow = Array.from({ length: 16 }, open);
  await waitFor(async () => (await post("/v1/proxies", "{}")).status === 429, { what: "the bytes to be reserved" });
  expect((await post("/v1/proxies", "{}")).body).toMatchObject({ code: "too-many-bodies" });
  const other = await api.as(allAuthorities, "bob");
  expect((await other.post("/v1/proxies").send({})).status).toBe(422);
  for (const socket of slow) socket.destroy();
  await waitFor(async () => (await post("/v1/proxies", "{}")).status === 422, { what: "the bytes to be released" });
});

type Hostile = readonly [name: string, path: string, body?: string];

test("a hostile request takes less than 12 times the CPU time of an ordinary refusal", async () => {
  await using server = await startListenerUnderTest(api.listener);
  const ask = async (path: string, body?: string): Promise<void> => {
    const headers = { "Content-Type": "application/json", Authorization: authorization };
    const init = body === undefined ? {} : { method: "POST", body, headers };
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    await answer.arrayBuffer();
  };
  const [times, minRounds] = isFullTestRun ? [4, 5] : [2, 2];
  /** Returns the CPU time of a request in microseconds. It includes the test client, which runs in the same process. */
  const costOf = async ([, path, body]: Hostile): Promise<number> => {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time++) await ask(path, body);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  };
  /**
   * Returns the CPU time of one request divided by that of another. The two alternate, because the load of the machine changes. Compilation and
   * garbage collection disturb some rounds. So the minimum of `minRounds` rounds counts, or of up to 20 if it is above `bound`.
   */
  const ratioOf = async (one: Hostile, other: Hostile, bound: number): Promise<number> => {
    let [least, leastOther] = [Infinity, Infinity];
    for (let round = 0; round < minRounds || (round < 20 && least / leastOther >= bound); round++) {
      leastOther = Math.min(leastOther, await costOf(other));
      least = Math.min(least, await costOf(one));
    }
    return least / leastOther;
  };
  const [maxCpuTimeRatio, maxOfText] = [12, 1.5];
  const plain: Hostile = ["plain refusal", "/health/live?x=1"];
  const oneText: Hostile = ["one text", "/v1/proxies", `{"description":"${"x".repeat(250_000)}"}`];
  const oversized: readonly Hostile[] = [
    ["fields", "/v1/proxies", unknownKeys(20_000)],
    ["lists in a list", "/v1/reports", `{"reportType":"PROXY","columns":[${many(() => "[]", ",", 80_000)}]}`],
    ["values", "/v1/proxies", `{"tags":[${many(() => "1", ",", 120_000)}]}`],
  ];
  const hostile: readonly Hostile[] = [
    ...oversized,
    ["malformed pairs", `/health/live?${"%&".repeat(7_500)}`],
    ["unknown names", `/v1/proxies?${many((index) => `p${index}=1`, "&", 100)}`],
    ["as many fields as are allowed", "/v1/proxies", unknownKeys(200)],
    oneText,
    ["one text of escapes", "/v1/proxies", `{"description":"${"\\u0041".repeat(40_000)}"}`],
    ["depth", "/v1/proxies", "[".repeat(250_000)],
    ["blanks", "/v1/proxies", " ".repeat(250_000)],
  ];
  // Sends 80 plain refusals before the measurement, so that the compilation of their code does not count.
  for (let time = 0; time < 80; time++) await ask(plain[1]);
  const ratios = new Map<string, number>();
  for (const request of hostile) {
    await ask(request[1], request[2]);
    ratios.set(request[0], await ratioOf(request, plain, maxCpuTimeRatio));
  }
  process.stdout.write(
    `processor time to a plain refusal: ${[...ratios].map(([name, ratio]) => `${name} ${ratio.toFixed(1)}`).join(", ")}\n`,
  );
  expect(Math.max(...ratios.values())).toBeLessThan(maxCpuTimeRatio);
  // The API refuses these bodies before it parses them, so they cost no more CPU time than a text of the same length. Parsing would double that time.
  for (const request of oversized)
    expect([request[0], (await ratioOf(request, oneText, maxOfText)) < maxOfText]).toEqual([request[0], true]);
}, 120_000);

const seeds: readonly string[] = ["sql", "text", "traversal", "duplicates"].flatMap(
  (name) => JSON.parse(readFileSync(new URL(`../test/corpora/${name}.json`, import.meta.url), "utf8")) as string[],
);

/** Like the unit "binary" of fast-check, which builds a table of a million characters in a second and 85 MB. Surrogates are left out. */
const anyCharacter = fc.nat(0x10f7ff).map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800));
const anyText = fc.oneof(
  fc.constantFrom(...seeds.filter((seed) => typeof seed === "string")),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  // fast-check puts names such as __proto__ among these texts.
  fc.string({ maxLength: 60 }),
  fc.constantFrom("%", "", "\u0001", "ü", "😀", '"', "\\", "searchParam[a]", "searchParam"),
);
const anyPairs = fc
  .array(fc.tuple(anyText, anyText), { maxLength: 130 })
  .map((pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&"));
const anyBody = fc.oneof(
  fc.dictionary(anyText, fc.oneof(anyText, fc.array(anyText, { maxLength: 300 })), { maxKeys: 210 }),
  fc.array(anyText),
);

function encode(text: string): string {
  return text === "%" ? text : encodeURIComponent(text.toWellFormed());
}

function targets(): readonly { readonly method: string; readonly path: string }[] {
  return api.endpoints.map(({ method, path }) => ({
    method,
    path: path.replaceAll(/\{\w+\}/g, unknownId),
  }));
}

const randomRuns = isFullTestRun ? 150 : 25;

test("the problem of a random hostile request has at most 16 KiB and 20 issues", async () => {
  await using client = await openHostileClient(api.listener, { Authorization: authorization });
  const sizes: number[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      anyPairs,
      fc.integer({ min: 1, max: 400 }),
      anyBody,
      anyText,
      fc.boolean(),
      async (which, pairs, repeats, body, text, isLong) => {
        const all = targets();
        const { method, path } = all[which % all.length]!;
        const type = path.startsWith("/v1/report") ? "reportType=PROXY&" : "";
        const query = `${type}${isLong ? `${pairs}&`.repeat(repeats) : pairs}`.slice(0, longestQuery);
        const tail = isLong ? "" : `/${encode(text).repeat(repeats)}`.slice(0, 14_000);
        for (const url of [`${path}?${query}`, path, `${path}${tail}`]) {
          const answer = await client.send(
            method === "GET" || method === "DELETE"
              ? { method, path: url }
              : {
                  method,
                  path: url,
                  headers: { "Content-Type": "application/json" },
                  body: JSON.stringify(body),
                },
          );
          if (answer.headers["content-type"] !== "application/problem+json") continue;
          sizes.push(Buffer.byteLength(answer.text));
          expect(answer.status).toBeLessThan(500);
          expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxProblemBytes);
          expect((answer.body as { errors: unknown[] }).errors.length).toBeLessThanOrEqual(20);
        }
      },
    ),
    { numRuns: randomRuns },
  );
  expect(sizes.length).toBeGreaterThan(randomRuns);
  process.stdout.write(`problem lists: ${sizes.length} problems, the largest of ${Math.max(...sizes)} bytes\n`);
}, 240_000);
