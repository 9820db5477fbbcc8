import { builtInTypeAuthorities } from "@reports/auth";
import { builtInRegistrations, type ReportTypeDefinition } from "@reports/core/report";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

const fixture: ReportTypeDefinition = {
  type: "FIXTURE",
  version: 1,
  title: "Fixture",
  description: "A type that only tests know.",
  filters: [
    {
      name: "colour",
      operator: "in",
      value: "enum",
      values: ["RED", "BLUE"],
      columns: ["colour"],
      description: "The colour.",
    },
  ],
  columns: [
    { key: "colour", title: "Colour", kind: "text", width: 8, titles: { RED: "Dark red" }, tones: { RED: "bad" } },
    { key: "load", title: "Load", kind: "ratio", width: 8, tonesByNumber: [{ atLeast: 0.9, tone: "warn" }] },
  ],
  prominentFilters: ["colour"],
  pdfColumns: ["colour"],
  where: [],
  defaultSort: [{ key: "colour", descending: false }],
  groupable: ["colour"],
  formats: { csv: { maxRows: 10 } },
  summary: {
    figures: [
      { key: "all", title: "All", kind: "integer", aggregate: { kind: "count" } },
      { key: "red", title: "Red ones", kind: "integer", aggregate: { kind: "distinct", column: "colour" } },
    ],
    charts: [],
    subtotals: ["red"],
  },
  rows: { kind: "objects", rows: async function* () {} },
};

const ranged: ReportTypeDefinition = {
  ...fixture,
  type: "RANGED",
  filters: [
    { ...fixture.filters[0]!, required: true },
    { ...fixture.filters[0]!, name: "shade", default: "BLUE" },
  ],
};

let api: ApiUnderTest;

beforeAll(async () => {
  api = await startApiUnderTest({
    reportTypes: [
      ...builtInRegistrations.reportTypes,
      { definition: fixture, authority: "REPORT_FIXTURE" },
      { definition: ranged, authority: "REPORT_RANGED" },
    ],
  });
});
afterAll(async () => api[Symbol.asyncDispose]());

test("a caller without authorities sees all report types and their authorities", async () => {
  const response = await (await api.as([])).get("/v1/report-types");
  expect(response.status).toBe(200);
  expect(response.body.map(({ reportType, authority }: Record<string, string>) => [reportType, authority])).toEqual([
    ...Object.entries(builtInTypeAuthorities),
    ["FIXTURE", "REPORT_FIXTURE"],
    ["RANGED", "REPORT_RANGED"],
  ]);
});

test("a report type describes its filters, columns, formats and limits", async () => {
  const agent = await api.as([]);
  const { body } = await agent.get("/v1/report-types/FIXTURE").expect(200);
  expect(body).toMatchObject({
    columns: [
      {
        key: "colour",
        kind: "text",
        titles: { RED: "Dark red" },
        tones: { RED: "bad" },
        tonesByNumber: [],
        sortable: true,
        groupable: true,
      },
      { key: "load", tones: {}, tonesByNumber: [{ atLeast: 0.9, below: null, tone: "warn" }] },
    ],
    prominentFilters: ["colour"],
    formats: [{ format: "csv", maxRows: 10, compressible: true, showsGroups: false, taggedMaxRows: null }],
    pdfColumns: ["colour"],
    subtotals: [{ key: "red", title: "Red ones" }],
    searchParam: {
      additionalProperties: false,
      properties: { colour: { anyOf: [{ type: "array" }, { enum: ["RED", "BLUE"] }] } },
    },
  });
  const { body: proxy } = await agent.get("/v1/report-types/PROXY").expect(200);
  const { body: domains } = await agent.get("/v1/report-types/PROXY_DOMAIN").expect(200);
  expect(domains.columns.filter(({ expires }: Record<string, unknown>) => expires)).toMatchObject([
    { key: "certNotAfter" },
  ]);
  expect(Object.keys(proxy.searchParam.properties).sort()).toEqual(
    [
      "q",
      "name",
      "kind",
      "software",
      "region",
      "countryCode",
      "environment",
      "adminState",
      "health",
      "ownerTeam",
      "tag",
      "port",
      "createdFrom",
      "createdTo",
    ].sort(),
  );
});

test("only holders of a report type's authority can start its reports", async () => {
  const holder = await api.as(["REPORT_FIXTURE"]);
  const { body } = await holder.get("/v1/report?reportType=FIXTURE&searchParam[colour]=RED").expect(202);
  expect(body).toMatchObject({ reportType: "FIXTURE", format: "csv", searchParam: { colour: ["RED"] } });
  expect((await holder.get("/v1/reports")).body).toHaveLength(1);
  expect((await holder.get("/v1/report?reportType=FIXTURE&searchParam[colour]=GREEN")).status).toBe(400);
  expect((await holder.get("/v1/report?reportType=PROXY")).status).toBe(403);
  expect((await (await api.as(["REPORT_PROXY"])).get("/v1/report?reportType=FIXTURE")).status).toBe(403);
});

test("the catalogue, OpenAPI and the docs page show required filters and defaults", async () => {
  const { body } = await (await api.as([])).get("/v1/report-types/RANGED").expect(200);
  expect(body.searchParam).toMatchObject({ required: ["colour"], properties: { shade: { default: "BLUE" } } });
  const [, section] = (await api.anonymous().get("/docs").expect(200)).text.split('id="type-RANGED"');
  expect(section).toMatch(/one of RED, BLUE\. Required\..*one of RED, BLUE\. Default: BLUE\./s);
  const { components } = (await api.anonymous().get("/openapi.json").expect(200)).body;
  expect(components.schemas.RangedReportStart.required).toEqual(["reportType", "searchParam"]);
  expect(components.schemas.RangedSearchParam).toMatchObject({
    required: ["colour"],
    properties: { shade: { default: "BLUE" } },
  });
});

test("starts, schedules, previews and estimates need the filters that are required", async () => {
  const agent = await api.as(["REPORT_RANGED"]);
  const issue = { code: "required", message: "The filter colour is required; it must be one of RED, BLUE." };
  const start = { reportType: "RANGED" };
  const schedule = { ...start, name: "Ranged", cron: "0 6 * * *", options: { format: "csv" } };
  const { body: started } = await agent.post("/v1/reports").send(start).expect(422);
  expect(started.errors).toMatchObject([{ ...issue, pointer: "/searchParam/colour" }]);
  const { body: scheduled } = await agent.post("/v1/report-schedules").send(schedule).expect(422);
  expect(scheduled.errors).toMatchObject([{ ...issue, pointer: "/searchParam/colour" }]);
  for (const path of ["report?reportType=RANGED", "report-types/RANGED/rows", "report-types/RANGED/estimates"]) {
    const { body } = await agent.get(`/v1/${path}`).expect(400);
    expect(body.errors).toMatchObject([{ ...issue, parameter: "searchParam.colour" }]);
  }
  const { body } = await agent
    .post("/v1/reports")
    .send({ ...start, searchParam: { colour: "RED" } })
    .expect(202);
  expect(body.searchParam).toEqual({ colour: ["RED"], shade: ["BLUE"] });
});

test.each(["/v1/report-types", "/v1/report-types/PROXY"])(
  "%s supports conditional requests and rejects invalid ones",
  async (path) => {
    const agent = await api.as([]);
    const { headers } = await agent.get(path).expect(200);
    expect((await agent.get(path).set("If-None-Match", headers["etag"]!)).status).toBe(304);
    expect((await agent.get(path).set("If-Match", '"x"')).status).toBe(412);
    expect((await agent.get(`${path}?x=1`)).status).toBe(400);
    expect((await agent.get(path).set("Accept", "text/html")).status).toBe(406);
    expect((await api.anonymous().get(path)).status).toBe(401);
  },
);

test("the catalogue answers 503 to a password while the database is unavailable", async () => {
  const other = await startApiUnderTest();
  await other.database.close();
  for (const path of ["/v1/report-types", "/v1/report-types/PROXY"]) {
    expect((await other.anonymous().get(path).auth("alice", "x")).status).toBe(503);
  }
  await other[Symbol.asyncDispose]();
});

test.each(["NONE", "proxy", "constructor"])(
  "/v1/report-types/%s answers 404 and names the existing types",
  async (type) => {
    const response = await (await api.as([])).get(`/v1/report-types/${type}`);
    expect(response.status).toBe(404);
    expect(response.body.detail).toContain("PROXY_DOMAIN");
  },
);
