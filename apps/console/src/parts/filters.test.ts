import { expect, test } from "vitest";
import { deriveFilterFields, deriveFilters } from "./filters.ts";
import { textColumnFixture } from "../start/text-column-fixture.fixture.ts";

test("deriveFilters labels a filter by its column, or by its name without a column", () => {
  const properties = Object.fromEntries(
    ["severity", "tag", "certNotAfterFrom", "certNotAfterTo", "createdTo", "upstreamHost"].map((name) => [name, {}]),
  );
  const columns = [
    ["severity", "Urgency"],
    ["tags", "Tags"],
    ["certNotAfter", "Certificate ends"],
  ].map(([key, title]) => ({ ...textColumnFixture, key: key!, title: title! }));
  expect(deriveFilters({ searchParam: { properties }, columns }).map(({ label }) => label)).toEqual([
    "Urgency",
    "Tags",
    "Certificate ends, from",
    "Certificate ends, before",
    "Created, before",
    "Upstream host",
  ]);
});

test("deriveFilters returns defaults, and a range is required if one of its ends is", () => {
  const time = { type: "string", format: "date-time" };
  const searchParam = {
    properties: { state: { enum: ["A", "B"], default: ["A"] }, dueFrom: time, dueTo: time },
    required: ["dueTo"],
  };
  expect(deriveFilters({ searchParam, columns: [] })[0]).toMatchObject({ isRequired: false, defaults: ["A"] });
  expect(deriveFilterFields({ searchParam, columns: [] })[1]).toMatchObject({ kind: "range", isRequired: true });
});
