import { expect, test } from "vitest";
import { reportOptionsSchema } from "./options.ts";

/** Options as the first version of the service stored them. Records are kept for months, so such records still exist. */
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

test("options that the oldest records lack get their default when a record is read", () => {
  expect(reportOptionsSchema.safeParse(oldest)).toMatchObject({ success: true, data: oldest });
});
