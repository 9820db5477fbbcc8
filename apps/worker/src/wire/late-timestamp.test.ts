import { expect, test } from "vitest";
import { rfc3339 } from "./append-timestamp.ts";
import { createCellFormat } from "../formats/pdf/cell-format.ts";
import { dateFormatOf } from "../formats/pdf/date-format.ts";
import { numberFormatOf } from "../formats/number-format.ts";

test.each([
  ["10000-01-01 08:59:59+09", "9999-12-31T23:59:59+00:00"],
  ["10000-01-01 05:29:59.999+05:30", "9999-12-31T23:59:59.999+00:00"],
  ["9999-12-31 23:59:59+00", "9999-12-31T23:59:59+00:00"],
  ["9999-12-31 18:59:59-05", "9999-12-31T18:59:59-05:00"],
  ["10000-01-01 08:59:59+00", "10000-01-01 08:59:59+00"],
  ["infinity", "infinity"],
])("the last moment of the last year is shown as that, whatever the zone: %s", (wireText, expected) => {
  expect(rfc3339(wireText)).toBe(expected);
});

test("a pdf shows it like that, too", () => {
  const format = createCellFormat(
    { kind: "timestamp" },
    { numbers: numberFormatOf("en"), dates: dateFormatOf("en"), timezone: "Asia/Tokyo" },
  );
  expect(format("10000-01-01 08:59:59+09")).toBe("31 Dec 9999, 23:59:59 +00");
});
