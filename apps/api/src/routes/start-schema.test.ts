import { builtInReportTypes, createCatalogue, startOptionDeclarations, startInputFromBody } from "@reports/core/report";
import { DomainError } from "@reports/core/base";
import { expect, test } from "vitest";
import { toJsonSchema, type OpenApiComponents } from "../openapi/json-schema.ts";
import { startBodySchema, startQuerySchema } from "./start-schema.ts";

const catalogue = createCatalogue(builtInReportTypes);
const body = startBodySchema(catalogue);

const given = [
  { format: "csv", csvBom: false, compression: "zstd", columns: ["name"], sort: ["-port", "name"], groupBy: "region" },
  { timezone: "europe/berlin", locale: "de-ch", title: ` ${"😀".repeat(120)} ` },
  { paper: "LETTER", orientation: "portrait", accessible: false },
  { paper: "a4" },
  { orientation: "upright" },
  { accessible: "yes" },
  { format: null, columns: null, title: null },
  { format: "doc" },
  { csvBom: "true" },
  { compression: "zip" },
  { columns: ["nam"] },
  { columns: ["name", "name"] },
  { sort: "name" },
  { sort: ["name", "-name"] },
  { sort: ["-tags"] },
  { sort: ["name", "port", "kind", "region", "health", "software"] },
  { groupBy: "name" },
  { timezone: "Mars/Olympus" },
  { timezone: "+01:00" },
  { locale: "not_a_locale" },
  { title: "a\nb" },
  { title: "😀".repeat(121) },
  { colums: ["name"] },
];

function isAccepted(options: object): boolean {
  try {
    startInputFromBody(catalogue.find("PROXY")!, { reportType: "PROXY", ...options }, new Date());
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

test.each(given)("the documented schema accepts %j exactly if a start accepts it", (options) => {
  expect(body.safeParse({ reportType: "PROXY", ...options }).success).toBe(isAccepted(options));
});

test("the query and the body document exactly the options of a start", () => {
  const names = ["reportType", "searchParam", ...Object.keys(startOptionDeclarations)];
  expect(Object.keys(startQuerySchema(catalogue).shape)).toEqual(names);
  for (const { type } of catalogue.list()) {
    const all = Object.fromEntries(names.map((name) => [name, name === "reportType" ? type : null]));
    expect(body.safeParse(all).success).toBe(true);
  }
});

test("a start's schema deprecates former filter names and describes former columns", () => {
  const [columns, filters] = [catalogue.find("PROXY")!.columns, catalogue.find("PROXY")!.filters];
  const renamed = createCatalogue([
    {
      ...catalogue.find("PROXY")!,
      type: "RENAMED",
      columns: columns.map((column) => (column.key === "name" ? { ...column, formerly: ["title"] } : column)),
      filters: filters.map((filter) => (filter.name === "health" ? { ...filter, formerly: ["state"] } : filter)),
    },
  ]);
  const components: OpenApiComponents = {};
  toJsonSchema(startBodySchema(renamed), "input", components);
  const { properties } = components["RenamedSearchParam"] as { readonly properties: Record<string, unknown> };
  expect(properties["health"]).not.toHaveProperty("deprecated");
  expect(properties["state"]).toMatchObject({
    deprecated: true,
    description: expect.stringMatching(/^Former name of health\. /),
  });
  expect(components["RenamedReportColumn"]).toMatchObject({
    description: "Key of a column of RENAMED. Former keys, which are deprecated: title (now name).",
  });
});
