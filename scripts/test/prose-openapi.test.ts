import { expect, test } from "vitest";
// @boundaries-ignore Apps have no exports, and the test reads the description of the endpoints.
import { startApiUnderTest } from "../../apps/api/src/test/api-under-test.ts";
// @boundaries-ignore Apps have no exports (see above).
import { buildOpenApiDocument } from "../../apps/api/src/openapi/openapi-document.ts";
import { findProseFaults, type ProsePassage } from "./prose/find-prose-faults.ts";

function textsOf(value: unknown, pointer = ""): ProsePassage[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) =>
    typeof each === "string" && (name === "description" || name === "summary")
      ? [{ file: pointer, line: 1, text: each }]
      : textsOf(each, `${pointer}/${name}`),
  );
}

test("the texts of the OpenAPI description follow the rules of docs/style.md", async () => {
  await using api = await startApiUnderTest();
  const document = buildOpenApiDocument(api.endpoints, { basePath: "", version: "1", answers: "open" });
  const texts = textsOf(document);
  expect(texts.length).toBeGreaterThan(500);
  expect(findProseFaults(texts)).toEqual([]);
});

test("a fault in an OpenAPI description is found with its JSON pointer", () => {
  const faults = findProseFaults(
    textsOf({ paths: { "/a": { get: { summary: "Fine", description: "What is told." } } } }),
  );
  expect(faults.map(({ file, rule }) => `${file}: ${rule}`)).toContain("/paths//a/get: headless what");
});
