import { newestFirstSort } from "@reports/core/record";
import { reportListFilters, reportSortFields } from "@reports/core/report";
import { expect, test } from "vitest";
import { defineListQuery } from "./list-query-parser.ts";

const view = { filters: reportListFilters, sortable: reportSortFields, defaultSort: newestFirstSort };
const query = defineListQuery(view, "Reports");

function isRead(name: string, text: string): boolean {
  try {
    query.read("/v1/reports", [[name, text]], new Date());
    return true;
  } catch {
    return false;
  }
}

test.each([
  ["limit", "1", true],
  ["limit", "200", true],
  ["limit", "201", false],
  ["limit", "ten", false],
  ["limit", "", false],
  ["sort", "-createdAt,finishedAt", true],
  ["sort", "createdAt,-createdAt", false],
  ["sort", "title", false],
  ["sort", "a,b,c,d,e,f", false],
  ["count", "exact", true],
  ["count", "all", false],
])("the OpenAPI schema and the query parser agree whether %s=%s is valid: %s", (name, text, isTaken) => {
  expect(query.schema.shape[name]!.safeParse(text).success).toBe(isTaken);
  expect(isRead(name, text)).toBe(isTaken);
});
