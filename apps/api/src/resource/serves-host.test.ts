import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let caller: Awaited<ReturnType<ApiUnderTest["as"]>>;
const hostnames = [
  "a.example.org",
  "*.example.org",
  "*.a.example.org",
  "b.example.org",
  "example.org",
  "*.bücher.example",
];

beforeAll(async () => {
  api = await startApiUnderTest();
  caller = await api.as(["REGISTRY_READ", "REGISTRY_WRITE"]);
  const proxy = { name: "edge", kind: "REVERSE", address: "192.0.2.1", port: 443, protocol: "HTTPS" };
  const { body } = await caller.post("/v1/proxies").send(proxy);
  const upstream = { upstreamScheme: "HTTP", upstreamHost: "Backend.Example.ORG", upstreamPort: 80, tlsMode: "NONE" };
  for (const hostname of hostnames) {
    await caller.post(`/v1/proxies/${body.id}/domains`).send({ hostname, ...upstream });
  }
});

afterAll(async () => api[Symbol.asyncDispose]());

test.each([
  ["a.example.org", ["*.example.org", "a.example.org"]],
  ["A.EXAMPLE.org.", ["*.example.org", "a.example.org"]],
  ["c.example.org", ["*.example.org"]],
  ["x.a.example.org", ["*.a.example.org"]],
  ["x.b.example.org", []],
  ["example.org", ["example.org"]],
  ["www.bücher.example", ["*.bücher.example"]],
])("servesHost=%s finds domains with this name and matching wildcards", async (host, expected) => {
  const { status, body } = await caller.get("/v1/domains").query({ servesHost: host, sort: "hostname" });
  expect(status).toBe(200);
  expect((body as { hostname: string }[]).map(({ hostname }) => hostname)).toEqual(expected);
});

test("the filter upstreamHost of the list of domains ignores the case of letters", async () => {
  for (const upstreamHost of ["backend.example.org", "BACKEND.EXAMPLE.ORG"]) {
    const { body } = await caller.get("/v1/domains").query({ upstreamHost });
    expect(body).toHaveLength(hostnames.length);
  }
});

test.each(["servesHost=*.example.org", "servesHost=localhost", "upstreamHost=a%20b", "proxyName=Edge"])(
  "a list refuses the filter %s, which can never match",
  async (query) => {
    const { status, body } = await caller.get(`/v1/domains?${query}`);
    expect({ status, code: body.errors?.[0]?.code }).toEqual({ status: 400, code: "invalid_filter" });
  },
);
