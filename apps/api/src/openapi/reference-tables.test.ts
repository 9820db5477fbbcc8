import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { startApiUnderTest } from "../test/api-under-test.ts";
import { toReferencedSchemaName, componentSchemasOf, type JsonSchema } from "../test/describe-schema-value.ts";
import { parseGeneratedDocBlocks, createReferencePageRenderer } from "../test/reference-tables.ts";
import { buildOpenApiDocument } from "./openapi-document.ts";

const folder = join(import.meta.dirname, "../../../../docs/reference");
const textOf = (page: string) => readFileSync(join(folder, page), "utf8");
const pages = globSync("**/*.md", { cwd: folder }).filter((page) => parseGeneratedDocBlocks(textOf(page)).length > 0);
const blocks = pages.flatMap((page) => parseGeneratedDocBlocks(textOf(page)));
const namedBy = (kind: string) => blocks.filter((block) => block.kind === kind).flatMap(({ of }) => of);

let endpoints: readonly Endpoint[];
beforeAll(async () => {
  await using api = await startApiUnderTest();
  ({ endpoints } = api);
});

test.each(pages)("docs/reference/%s contains what `pnpm generate reference-tables` writes", async (page) => {
  await expect(createReferencePageRenderer(endpoints)(textOf(page))).toMatchFileSnapshot(join(folder, page));
});

test("every API path is in the endpoint table of exactly one reference page", () => {
  expect(namedBy("endpoints").toSorted()).toEqual([...new Set(endpoints.map(({ path }) => path))].toSorted());
});

test("the filters and sorts of every list are in exactly one reference page", () => {
  const lists = endpoints.filter(({ list }) => list !== undefined).map(({ path }) => path);
  expect(namedBy("list").toSorted()).toEqual(lists.toSorted());
});

test("the fields of every object in a response are in a reference page", () => {
  const document = buildOpenApiDocument(endpoints, { basePath: "", version: "", answers: "open" });
  const { paths } = document as { paths: Record<string, Record<string, { responses: Record<string, Described> }>> };
  const described = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content }) => Object.values(content ?? {}))
    .flatMap(({ schema }) => toReferencedSchemaName(schema.items ?? schema) ?? [])
    .filter((name) => componentSchemasOf(document)[name]!.properties !== undefined);
  const named = new Set(namedBy("fields"));
  expect(described.filter((name) => !named.has(name))).toEqual([]);
});

function codesBelow(page: string, title: string): string[] {
  const tables = textOf(page).split(/\n(?!\|)/);
  const [, ...rows] = tables
    .filter((table) => table.trim().startsWith(`| ${title} |`))
    .flatMap((table) => table.trim().split("\n"));
  return rows.flatMap((row) => [...row.split("|")[1]!.matchAll(/`([\w.-]+)`/g)].map(([, code]) => code!));
}

test.each([
  ["resources/reports.md", "`error.code`", "ReportErrorCode"],
  ["resources/report-events.md", "`because`", "ReportEventCause"],
  ["resources/report-schedules.md", "`pausedBecause.code`", "SchedulePauseCause"],
  ["resources/report-schedules.md", "`outcome`", "FireOutcome"],
  ["resources/webhooks.md", "`pausedBecause.code`", "WebhookPauseCause"],
  ["resources/webhooks.md", "`status`", "DeliveryStatus"],
  ["resources/domains.md", "`severity`", "Severity"],
  ["resources/domains.md", "issue", "DomainIssue"],
])("docs/reference/%s lists below %s every code of %s", (page, title, component) => {
  const document = buildOpenApiDocument(endpoints, { basePath: "", version: "", answers: "open" });
  expect(codesBelow(page, title).toSorted()).toEqual([...componentSchemasOf(document)[component]!.enum!].toSorted());
});

test("the reference page of the audit log lists the action of every endpoint", () => {
  const declared = endpoints.flatMap(({ audit }) => (audit === undefined ? [] : [`${audit.recordType}.${audit.verb}`]));
  const others = ["report.cancel", "schedule.pause", "schedule.resume", "login", "read"];
  const written = codesBelow("audit-log.md", "`action`");
  expect(written.toSorted()).toEqual([...new Set([...declared, ...others])].toSorted());
});

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}
