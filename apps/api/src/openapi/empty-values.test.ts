import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";
import { buildOpenApiDocument } from "./openapi-document.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(async () => api[Symbol.asyncDispose]());

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string; readonly items?: object };
}

test("the API accepts an empty parameter exactly if the OpenAPI document allows it", async () => {
  const document = buildOpenApiDocument(api.endpoints, { basePath: "", version: "1", answers: "open" }) as unknown as {
    paths: Record<string, { get?: { parameters: Parameter[] } }>;
    components: object;
  };
  const { paths, components } = document;
  const ajv = new Ajv2020({ strict: false, logger: false });
  formats.default(ajv);
  const agent = await api.as(["REPORT_PROXY", "REGISTRY_READ", "WEBHOOKS_WRITE"]);
  const seen: string[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    for (const { name, in: place, schema } of get?.parameters ?? []) {
      if (place !== "query" || name === "reportType" || path === "/v1/report/download") continue;
      const isAllowed = ajv.compile({ ...(schema.type === "array" ? schema.items! : schema), components })("");
      const url = `${path.replace("{reportType}", "PROXY").replaceAll(/\{\w+\}/g, "018f0000-0000-7000-8000-00000000dead")}?${path === "/v1/report" ? "reportType=PROXY&" : ""}${name}=`;
      const { status } = await agent.get(url);
      seen.push(name);
      expect({ url, isTaken: status !== 400 }).toEqual({ url, isTaken: isAllowed });
    }
  }
  expect(seen.length).toBeGreaterThan(60);
});
