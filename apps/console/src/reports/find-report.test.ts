import { expect, test } from "vitest";
import { parseSearchText } from "./find-report.ts";

const id = "01a2192d-5569-77b2-b6f6-955b03b455b5";

test.each([
  [id, { kind: "id", id }],
  [` ${id.toUpperCase()} `, { kind: "id", id }],
  [`https://reports.example.com/console#/reports/${id}`, { kind: "id", id }],
  ["03b455b5", { kind: "idEnd", end: "03b455b5" }],
  ["03B455B5", { kind: "idEnd", end: "03b455b5" }],
  ["03b455b", { kind: "title", text: "03b455b" }],
  [" Month of May ", { kind: "title", text: "Month of May" }],
  ["Ma", { kind: "short" }],
  ["  ", { kind: "nothing" }],
])("the search box reads %j as an ID, the end of an ID, or a title", (text, wanted) => {
  expect(parseSearchText(text)).toEqual(wanted);
});
