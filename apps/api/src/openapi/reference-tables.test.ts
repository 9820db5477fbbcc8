import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { startApiUnderTest } from "../test/api-under-test.ts";
import { nameOf, schemasOf, type JsonSchema } from "../test/describe-value.ts";
import { blocksOf, createPageWriter } from "../test/reference-tables.ts";
import { openApiDocument } from "./openapi-document.ts";

const folder = join(import.meta.dirname, "../../../../docs/reference");
const textOf = (page: string) => readFileSync(join(folder, page), "utf8");
const pages = globSync("**/*.md", { cwd: folder }).filter((page) => blocksOf(textOf(page)).length > 0);
const blocks = pages.flatMap((page) => blocksOf(textOf(page)));
const namedBy = (kind: string) => blocks.filter((block) => block.kind === kind).flatMap(({ of }) => of);

let endpoints: readonly Endpoint[];
beforeAll(async () => {
  await using api = await startApiUnderTest();
  ({ endpoints } = api);
});

test.each(pages)("docs/reference/%s is what `pnpm generate reference-tables` writes", async (page) => {
  await expect(createPageWriter(endpoints)(textOf(page))).toMatchFileSnapshot(join(folder, page));
});

test("every path is in the table of one page", () => {
  expect(namedBy("endpoints").toSorted()).toEqual([...new Set(endpoints.map(({ path }) => path))].toSorted());
});

test("every list has its filters and sorts in one page", () => {
  const lists = endpoints.filter(({ list }) => list !== undefined).map(({ path }) => path);
  expect(namedBy("list").toSorted()).toEqual(lists.toSorted());
});

test("every object that a response holds has its fields in a page", () => {
  const document = openApiDocument(endpoints, { basePath: "", version: "", answers: "open" });
  const { paths } = document as { paths: Record<string, Record<string, { responses: Record<string, Described> }>> };
  const described = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content }) => Object.values(content ?? {}))
    .flatMap(({ schema }) => nameOf(schema.items ?? schema) ?? [])
    .filter((name) => schemasOf(document)[name]!.properties !== undefined);
  const named = new Set(namedBy("fields"));
  expect(described.filter((name) => !named.has(name))).toEqual([]);
});

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}
