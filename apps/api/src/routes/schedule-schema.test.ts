import { builtInReportTypes, createCatalogue } from "@reports/core/report";
import { expect, test } from "vitest";
import { scheduleInputExample } from "./schedule-example.ts";
import { scheduleBodySchemas } from "./schedule-schema.ts";

const { whole, patch } = scheduleBodySchemas(createCatalogue(builtInReportTypes));

test.each([
  {},
  { searchParam: "proxy" },
  { searchParam: null },
  { searchParam: { severity: ["EXPIRED", "CRITICAL"], certNotAfterTo: "now+P30D" } },
  { options: { format: "csv", columns: ["hostname"], sort: ["-hostname"], csvBom: false, locale: null } },
])("the schema of a schedule accepts %j", (given) => {
  expect(whole.safeParse({ ...scheduleInputExample, ...given }).error).toBeUndefined();
});

test.each([
  { searchParam: { severity: null } },
  { searchParam: null },
  { options: { format: null } },
  { options: null },
])("the schema of a merge patch accepts %j, which resets a field", (given) => {
  expect(patch.safeParse(given).error).toBeUndefined();
});

test.each([{ searchParam: { sevrity: "EXPIRED" } }, { searchParam: { severity: {} } }, { options: { formt: "csv" } }])(
  "the schemas of a schedule and of its merge patch refuse %j",
  (given) => {
    expect(whole.safeParse({ ...scheduleInputExample, ...given }).success).toBe(false);
    expect(patch.safeParse(given).success).toBe(false);
  },
);
