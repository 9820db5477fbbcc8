import { expect, test } from "vitest";
import { startApiUnderTest } from "../test/api-under-test.ts";
import { openApiDocument } from "./openapi-document.ts";

interface Described {
  readonly paths: Record<string, Record<string, DescribedOperation>>;
}
interface DescribedOperation {
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
  readonly responses: Record<
    string,
    { readonly content?: Record<string, unknown>; readonly links?: Record<string, unknown> }
  >;
}

test("OpenAPI leads from what is created to every operation on it", async () => {
  await using api = await startApiUnderTest();
  const { paths } = openApiDocument(api.endpoints, { basePath: "", version: "1" }) as unknown as Described;
  expect(paths["/v1/proxies"]!["post"]!.responses["201"]!.links).toEqual(
    Object.fromEntries(
      ["readProxy", "replaceProxy", "patchProxy", "deleteProxy"].map((operationId) => [
        operationId,
        { operationId, parameters: { id: "$response.body#/id" } },
      ]),
    ),
  );
  expect(paths["/v1/proxies/{id}/domains"]!["post"]!.responses["201"]!.links).toHaveProperty("readProxyDomain", {
    operationId: "readProxyDomain",
    parameters: { id: "$request.path.id", domainId: "$response.body#/id" },
  });
  expect(paths["/v1/reports"]!["post"]!.responses["202"]!.links).toHaveProperty("patchReport");
});

test("every body has an example, every problem its form, and only what is public needs no credentials", async () => {
  await using api = await startApiUnderTest();
  const { paths } = openApiDocument(api.endpoints, { basePath: "", version: "1" }) as unknown as Described;
  for (const endpoint of api.endpoints) {
    const operation = paths[endpoint.path]![endpoint.method.toLowerCase()]!;
    for (const { example } of Object.values(operation.requestBody?.content ?? {})) expect(example).toBeDefined();
    for (const [status, { content }] of Object.entries(operation.responses).filter(([status]) => Number(status) >= 400))
      expect([endpoint.operationId, status, Object.keys(content!)]).toEqual([
        endpoint.operationId,
        status,
        ["application/problem+json"],
      ]);
    expect(operation.security?.length === 0).toBe(endpoint.access.kind === "public");
  }
});
