import { afterAll, beforeAll, expect, test } from "vitest";
import type { Reply } from "../endpoint/endpoint.ts";
import type { StaticText } from "../http/static-text.ts";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly responses: Record<string, { readonly content?: Record<string, unknown> }>;
}

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(async () => api[Symbol.asyncDispose]());

test("/openapi.json describes all routes and their problems, without broken references", async () => {
  const { body, headers } = await api.anonymous().get("/openapi.json").expect(200);
  expect(body.openapi).toBe("3.1.0");
  const known = [
    "/v1/report",
    "/v1/report/download",
    "/v1/reports",
    "/v1/reports/{id}",
    "/v1/reports/{id}/files/{fileId}",
    "/v1/report-types",
    "/v1/report-types/{reportType}",
    "/health/live",
    "/health/ready",
    "/metrics",
    "/openapi.json",
  ];
  expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(known));
  const operations = Object.values(body.paths as Record<string, Record<string, Operation>>).flatMap((path) =>
    Object.values(path),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { responses, security, operationId } of operations) {
    expect(responses).toHaveProperty("default");
    expect({ operationId, isPublic: security?.length === 0 }).toEqual({ operationId, isPublic: !("401" in responses) });
  }
  for (const [, kind, name] of JSON.stringify(body).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
    expect(body.components[kind!]).toHaveProperty([name!]);
  }
  expect(JSON.stringify(body)).not.toContain("$defs");
  expect(body.paths["/v1/reports"].get.responses["200"].content["application/json"].schema).toEqual({
    type: "array",
    items: { $ref: "#/components/schemas/Report" },
  });
  expect((await api.anonymous().get("/openapi.json").set("If-None-Match", headers["etag"]!)).status).toBe(304);
  expect((await api.anonymous().get("/openapi.json").set("If-Match", '"x"')).status).toBe(412);
  expect((await api.anonymous().get("/openapi.json?x=1")).status).toBe(400);
  expect((await api.anonymous().get("/openapi.json").set("Accept", "text/html")).status).toBe(406);
});

test.each(["/openapi.json", "/docs", "/problems", "/v1/report-types"])(
  "all responses of %s share one encoded text",
  async (path) => {
    // A new API has not encoded any text yet.
    await using fresh = await startApiUnderTest({ databaseUrl: api.databaseUrl });
    const endpoint = fresh.endpoints.find((each) => each.method === "GET" && each.path === path)!;
    const input = { header: () => undefined, params: {} } as unknown as Parameters<typeof endpoint.handle>[0];
    const [first, second] = await Promise.all([endpoint.handle(input), endpoint.handle(input)]);
    const [one, other] = [textOf(first), textOf(second)];
    expect(one.bytes.length).toBeGreaterThan(1_024);
    expect(other.bytes).toBe(one.bytes);
    expect(await other.encoded("gzip")).toBe(await one.encoded("gzip"));
  },
);

function textOf({ body }: Reply): StaticText {
  const kept = body.kind === "json" ? body.staticJson : body.kind === "text" ? body.text : undefined;
  if (typeof kept !== "object") throw new Error("The reply has a text of its own.");
  return kept;
}
