import { expect, test } from "vitest";
import { createSpoolLimitError } from "./spool-writer.ts";
import { formatBinarySize } from "./write-size.ts";

test.each([
  [700, "700 bytes"],
  [64 * 1024, "64 KiB"],
  [1_500_000, "1.4 MiB"],
  [8 * 1024 ** 2, "8 MiB"],
  [1_500 * 1024 ** 2, "1,500 MiB"],
  [3_000 * 1024 ** 3, "3,000 GiB"],
])("a size of %i bytes is written as %s", (bytes, text) => {
  expect(formatBinarySize(bytes)).toBe(text);
});

test("the error of a report that is too large names the limit", () => {
  expect(createSpoolLimitError(64 * 1024, 0).message).toContain("exceeded 64 KiB");
});
