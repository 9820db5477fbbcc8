import { expect, test } from "vitest";
import { reportOptionsSchema } from "./options.ts";

/** As the first version of the program wrote them; records are kept for months. */
const oldest = {
  format: "csv",
  csvBom: true,
  compression: "none",
  columns: ["name"],
  sort: ["-name"],
  groupBy: null,
  timezone: "UTC",
  locale: "en",
};

test("the oldest records are read: an option that came later has a default of its own in its stored form", () => {
  expect(reportOptionsSchema.safeParse(oldest)).toMatchObject({ success: true, data: oldest });
});
