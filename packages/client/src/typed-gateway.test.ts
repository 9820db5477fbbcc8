import { defineReportTypes } from "@reports/core/report-type";
import { expect, expectTypeOf, test } from "vitest";
import { createGateway, type ReportOptionsOf, type ReportStartOf, type ReportTypeName } from "./node.ts";

const types = defineReportTypes([
  {
    authority: "REPORT_STAY",
    definition: {
      type: "STAY",
      version: 1,
      title: "Stays",
      columns: [
        { key: "patient", title: "Patient", kind: "text" },
        { key: "nights", title: "Nights", kind: "integer" },
        { key: "cost", title: "Cost", kind: "decimal" },
        { key: "tags", title: "Tags", kind: "list" },
      ],
      filters: [
        {
          name: "state",
          operator: "in",
          value: "enum",
          values: ["OPEN", "DONE"],
          columns: ["patient"],
          description: "States.",
        },
        { name: "nightsFrom", operator: "from", value: "integer", columns: ["nights"], description: "At least." },
        { name: "costFrom", operator: "from", value: "decimal", columns: ["cost"], description: "At least." },
        { name: "q", operator: "contains", value: "text", columns: ["patient"], description: "Part." },
      ],
      groupable: ["patient"],
      formats: { pdf: {}, csv: {} },
      rows: { kind: "objects", async *rows() {} },
    },
  },
  {
    authority: "REPORT_BED",
    definition: {
      type: "BED",
      version: 1,
      title: "Beds",
      columns: [{ key: "bed", title: "Bed", kind: "text" }],
      filters: [
        { name: "ward", operator: "in", value: "text", columns: ["bed"], description: "Wards.", required: true },
      ],
      rows: { kind: "objects", async *rows() {} },
    },
  },
  {
    authority: "REPORT_NIGHT",
    definition: {
      type: "NIGHT",
      version: 1,
      title: "Nights",
      columns: [{ key: "bed", title: "Bed", kind: "text" }],
      filters: [{ name: "bed", operator: "in", value: "text", columns: ["bed"], description: "Beds." }],
      rows: {
        kind: "view",
        view: "ward.nights_at",
        parameters: [
          { name: "asOf", value: "date", description: "Day." },
          { name: "ward", value: "enum", values: ["A", "B"], default: "A", description: "Ward." },
        ],
        id: "bed",
        columns: { bed: { column: "bed", type: "text" } },
      },
    },
  },
]);

const requests: { readonly path: string; readonly body: unknown }[] = [];
const settings = {
  baseUrl: "https://reports.example.com",
  token: () => "token",
  fetch: async (url: string | URL | Request, init?: RequestInit) => {
    const { pathname, search } = new URL(url instanceof Request ? url.url : url);
    requests.push({ path: pathname + search, body: init?.body ?? null });
    return Response.json([], { status: 200 });
  },
};
const gateway = createGateway<typeof types>(settings);
const { reports, schedules, reportTypes } = gateway;
const compile = (call: () => unknown): void => expect(call).toBeTypeOf("function");
const schedule = { name: "Daily", cron: "0 6 * * *" } as const;

test("only the names of the package's report types compile", () => {
  expectTypeOf<ReportTypeName<typeof types>>().toEqualTypeOf<"STAY" | "BED" | "NIGHT">();
  expectTypeOf<ReportTypeName<unknown>>().toEqualTypeOf<string>();
  // @ts-expect-error -- The report type is misspelt.
  compile(() => reports.start({ reportType: "STAYS" }));
  // @ts-expect-error -- The report type is misspelt.
  compile(() => schedules.create({ ...schedule, reportType: "STAYS" }));
  // @ts-expect-error -- The report type is misspelt.
  compile(() => reportTypes.rows("STAYS"));
});

test("starts, schedules, previews, estimates and additional formats take the same options", () => {
  const options: ReportOptionsOf<typeof types, "STAY"> = {
    format: "csv",
    columns: ["patient", "tags"],
    sort: ["-nights", "patient"],
    groupBy: "patient",
    timezone: "Europe/Berlin",
  };
  const { sort: _, ...ofFile } = options;
  const searchParam = { state: ["OPEN"], nightsFrom: 2, q: "a" } as const;
  compile(() => reports.start({ reportType: "STAY", searchParam, ...options }));
  compile(() => reports.run({ reportType: "STAY", searchParam, ...options }, { to: "stays.csv" }));
  compile(() => schedules.create({ ...schedule, reportType: "STAY", searchParam, options }));
  compile(() => reportTypes.rows("STAY", { searchParam, ...options, limit: 5 }));
  compile(() => reportTypes.estimates("STAY", { searchParam, ...options }));
  compile(() => reports.files<"STAY">("id").start({ ...ofFile, format: "pdf" }));
  expectTypeOf(options).toExtend<ReportOptionsOf<unknown>>();
});

test("a misspelt filter, value, column, sort, group or format does not compile", () => {
  expectTypeOf<ReportOptionsOf<typeof types, "STAY">["groupBy"]>().toEqualTypeOf<"patient" | null | undefined>();
  // @ts-expect-error -- The filter is misspelt.
  compile(() => reports.start({ reportType: "STAY", searchParam: { stat: ["OPEN"] } }));
  // @ts-expect-error -- The filter belongs to the other type.
  compile(() => reports.start({ reportType: "STAY", searchParam: { ward: ["A"] } }));
  // @ts-expect-error -- The value is misspelt.
  compile(() => reports.start({ reportType: "STAY", searchParam: { state: ["OPN"] } }));
  // @ts-expect-error -- The filter takes a number.
  compile(() => reports.start({ reportType: "STAY", searchParam: { nightsFrom: "two" } }));
  // @ts-expect-error -- The filter takes one value.
  compile(() => reports.start({ reportType: "STAY", searchParam: { nightsFrom: [2, 3] } }));
  // @ts-expect-error -- The column is misspelt.
  compile(() => reports.start({ reportType: "STAY", columns: ["patiant"] }));
  // @ts-expect-error -- A list cannot be sorted by.
  compile(() => reports.start({ reportType: "STAY", sort: ["tags"] }));
  // @ts-expect-error -- The column is not groupable.
  compile(() => reports.start({ reportType: "STAY", groupBy: "nights" }));
  // @ts-expect-error -- The type has no such format.
  compile(() => reports.start({ reportType: "STAY", format: "xlsx" }));
  // @ts-expect-error -- The option is misspelt.
  compile(() => reports.start({ reportType: "STAY", colums: ["patient"] }));
});

test("misspelt options do not compile in schedules, previews and additional formats", () => {
  expectTypeOf<ReportOptionsOf<typeof types, "BED">["columns"]>().toEqualTypeOf<readonly "bed"[] | null | undefined>();
  // @ts-expect-error -- The column is misspelt.
  compile(() => schedules.create({ ...schedule, reportType: "STAY", options: { columns: ["patiant"] } }));
  // @ts-expect-error -- The option is misspelt.
  compile(() => schedules.create({ ...schedule, reportType: "STAY", options: { colums: ["patient"] } }));
  // @ts-expect-error -- The filter is misspelt.
  compile(() => schedules.create({ ...schedule, reportType: "STAY", searchParam: { stat: ["OPEN"] } }));
  // @ts-expect-error -- The column is misspelt.
  compile(() => reportTypes.rows("STAY", { columns: ["patiant"] }));
  // @ts-expect-error -- The filter is misspelt.
  compile(() => reportTypes.rows("STAY", { searchParam: { stat: ["OPEN"] } }));
  // @ts-expect-error -- The format is one of another type.
  compile(() => reportTypes.estimates("STAY", { format: "ndjson" }));
  // @ts-expect-error -- The column is misspelt.
  compile(() => reports.files("id").start({ format: "csv", columns: ["patiant"] }));
});

test("the patch of a schedule compiles only with filters and options of its type", () => {
  expectTypeOf(schedules.patch<"NIGHT">)
    .parameter(1)
    .toHaveProperty("searchParam");
  compile(() =>
    schedules.patch("id", { name: "Weekly", searchParam: { nightsFrom: null }, options: { format: "csv" } }),
  );
  compile(() => schedules.patch<"BED">("id", { searchParam: { ward: ["A"] }, options: { columns: ["bed"] } }));
  // @ts-expect-error -- The report type is misspelt.
  compile(() => schedules.patch("id", { reportType: "STAYS" }));
  // @ts-expect-error -- The field is misspelt.
  compile(() => schedules.patch("id", { crom: "0 7 * * *" }));
  // @ts-expect-error -- No type has the filter.
  compile(() => schedules.patch("id", { searchParam: { stat: ["OPEN"] } }));
  // @ts-expect-error -- No type has the column.
  compile(() => schedules.patch("id", { options: { columns: ["patiant"] } }));
  // @ts-expect-error -- The filter belongs to another type.
  compile(() => schedules.patch<"BED">("id", { searchParam: { state: ["OPEN"] } }));
  // @ts-expect-error -- The column belongs to another type.
  compile(() => schedules.patch<"BED">("id", { options: { columns: ["patient"] } }));
});

test("a decimal filter takes a number or its digits as text", () => {
  type StayStart = Extract<ReportStartOf<typeof types>, { readonly reportType: "STAY" }>;
  expectTypeOf<{ readonly costFrom: string | number }>().toExtend<NonNullable<StayStart["searchParam"]>>();
  compile(() => reports.start({ reportType: "STAY", searchParam: { costFrom: 10.5 } }));
  compile(() => reports.start({ reportType: "STAY", searchParam: { costFrom: "10.50" } }));
  // @ts-expect-error -- A boolean is not a decimal.
  compile(() => reports.start({ reportType: "STAY", searchParam: { costFrom: true } }));
});

test("a start or a schedule without a required filter does not compile", () => {
  type BedStart = Extract<ReportStartOf<typeof types>, { readonly reportType: "BED" }>;
  expectTypeOf<undefined>().not.toExtend<BedStart["searchParam"]>();
  compile(() => reports.start({ reportType: "BED", searchParam: { ward: "A" }, format: "xlsx" }));
  // @ts-expect-error -- The filter ward is required.
  compile(() => reports.start({ reportType: "BED" }));
  // @ts-expect-error -- The filter ward is required.
  compile(() => schedules.create({ ...schedule, reportType: "BED", searchParam: {} }));
});

test("a start compiles only with the function parameters that have no default", () => {
  const { filters } = types.reportTypes.at(-1)!.definition;
  expect(filters.map(({ name }) => name)).toEqual(["asOf", "ward", "bed"]);
  compile(() => reports.start({ reportType: "NIGHT", searchParam: { asOf: "today", ward: "B", bed: ["1"] } }));
  // @ts-expect-error -- The parameter asOf is required.
  compile(() => reports.start({ reportType: "NIGHT", searchParam: { ward: "B" } }));
  // @ts-expect-error -- The parameter ward has no value C.
  compile(() => reports.start({ reportType: "NIGHT", searchParam: { asOf: "today", ward: "C" } }));
  // @ts-expect-error -- The parameter ward takes one value.
  compile(() => reportTypes.rows("NIGHT", { searchParam: { asOf: "today", ward: ["A", "B"] } }));
});

test("a gateway without a package of report types takes any type name", () => {
  const any = createGateway(settings);
  compile(() => any.reports.start({ reportType: "ANY", searchParam: { any: ["x"] }, columns: ["any"] }));
  compile(() => any.reportTypes.rows("ANY", { columns: ["any"], limit: 1 }));
  compile(() => any.schedules.create({ ...schedule, reportType: "ANY", options: { columns: ["any"] } }));
  expectTypeOf(gateway.webhooks).toEqualTypeOf(any.webhooks);
});

test("a preview sends only the options that change its rows", async () => {
  requests.length = 0;
  await reportTypes.rows("STAY", { columns: ["patient"], sort: ["-nights"], format: "csv", title: "Stays", limit: 3 });
  expect(requests.map(({ path }) => decodeURIComponent(path))).toEqual([
    "/v1/report-types/STAY/rows?columns=patient&sort=-nights&limit=3",
  ]);
});
