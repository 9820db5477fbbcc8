import { zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";
import { chooseContentCoding } from "./content-coding.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(async () => api[Symbol.asyncDispose]());

test.each([
  [undefined, null],
  ["", null],
  ["br, deflate", null],
  ["identity", null],
  ["gzip", "gzip"],
  ["GZIP;q=0.5", "gzip"],
  ["gzip, deflate, br, zstd", "zstd"],
  ["zstd;q=0.1, gzip;q=0.2", "gzip"],
  ["gzip;q=0", null],
  ["*", "zstd"],
  ["*;q=0.5, zstd;q=0", "gzip"],
  ["gzip;q=0.5, identity", null],
  ["nonsense;;, gzip", "gzip"],
  [",, gzip ,", "gzip"],
  [`${",".repeat(100)}gzip`, "gzip"],
  [`${",".repeat(14_000)}gzip`, null],
  [`${"x,".repeat(7_000)}gzip`, null],
])("Accept-Encoding: %s chooses the coding %s", (header, expected) => {
  expect(chooseContentCoding(header)).toBe(expected);
});

async function fetchBytes(path: string, coding: string, authorities: readonly string[] = []) {
  const agent = await api.as(authorities);
  return agent
    .get(path)
    .set("Accept-Encoding", coding)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => done(null, Buffer.concat(chunks)));
    });
}

test.each(["/openapi.json", "/docs", "/problems", "/v1/report-types", "/metrics"])(
  "%s has the same content, compressed only for callers that accept compression",
  async (path) => {
    const plain = await fetchBytes(path, "identity");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    // /metrics has only one media type, so it does not depend on Accept.
    expect(plain.headers["vary"]).toBe(path === "/metrics" ? "Accept-Encoding" : "Accept, Accept-Encoding");
    // superagent decompresses gzip by itself, but does not support zstd.
    const gzipped = await fetchBytes(path, "gzip");
    expect(gzipped.headers["content-encoding"]).toBe("gzip");
    expect(Number(gzipped.headers["content-length"])).toBeLessThan((plain.body as Buffer).length / 2);
    const zstd = await fetchBytes(path, "zstd");
    expect(zstd.headers["content-encoding"]).toBe("zstd");
    expect(zstd.headers["etag"]).toBe(plain.headers["etag"]);
    if (path === "/metrics") return;
    expect((gzipped.body as Buffer).equals(plain.body as Buffer)).toBe(true);
    expect(zstdDecompressSync(zstd.body as Buffer).equals(plain.body as Buffer)).toBe(true);
  },
);

test("the API compresses a list of at least 1 KiB, but never a report file", async () => {
  const agent = await api.as(["REGISTRY_READ", "REGISTRY_WRITE", "REPORT_PROXY"]);
  expect((await fetchBytes("/v1/proxies", "gzip", ["REGISTRY_READ"])).headers["content-encoding"]).toBeUndefined();
  for (let index = 0; index < 4; index++) {
    const proxy = { name: `edge-${index}`, kind: "REVERSE", address: `192.0.2.${index}`, port: 80, protocol: "HTTP" };
    expect((await agent.post("/v1/proxies").send(proxy)).status).toBe(201);
  }
  const list = await fetchBytes("/v1/proxies", "zstd", ["REGISTRY_READ"]);
  expect(list.headers["content-encoding"]).toBe("zstd");
  expect(JSON.parse(zstdDecompressSync(list.body as Buffer).toString())).toHaveLength(4);

  const { body } = await agent.post("/v1/reports").send({ reportType: "PROXY", format: "csv" });
  await api.succeed(body.id as string, "name\n".repeat(10_000));
  const file = await fetchBytes(`/v1/report/download?reportType=PROXY&id=${body.id}`, "gzip, zstd", ["REPORT_PROXY"]);
  expect(file.headers["content-encoding"]).toBeUndefined();
  expect((file.body as Buffer).length).toBe(50_000);
});
