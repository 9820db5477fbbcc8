import { expect, test } from "vitest";
import { deriveFields, deriveFilters } from "./filters.ts";
import { plainColumn } from "../start/plain-column.fixture.ts";

test("a filter has the label of the column that it filters", () => {
  const properties = Object.fromEntries(
    ["severity", "tag", "certNotAfterFrom", "certNotAfterTo", "createdTo", "upstreamHost"].map((name) => [name, {}]),
  );
  const columns = [
    ["severity", "Urgency"],
    ["tags", "Tags"],
    ["certNotAfter", "Certificate ends"],
  ].map(([key, title]) => ({ ...plainColumn, key: key!, title: title! }));
  expect(deriveFilters({ searchParam: { properties }, columns }).map(({ label }) => label)).toEqual([
    "Urgency",
    "Tags",
    "Certificate ends, from",
    "Certificate ends, before",
    "Created, before",
    "Upstream host",
  ]);
});

test("fields show which filters are required, and their defaults", () => {
  const time = { type: "string", format: "date-time" };
  const searchParam = {
    properties: { state: { enum: ["A", "B"], default: ["A"] }, dueFrom: time, dueTo: time },
    required: ["dueTo"],
  };
  expect(deriveFilters({ searchParam, columns: [] })[0]).toMatchObject({ isRequired: false, defaults: ["A"] });
  expect(deriveFields({ searchParam, columns: [] })[1]).toMatchObject({ kind: "range", isRequired: true });
});
