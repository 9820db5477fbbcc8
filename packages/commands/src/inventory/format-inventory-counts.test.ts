import { expect, test } from "vitest";
import { formatInventoryCounts } from "./format-inventory-counts.ts";

test.each([
  [{ proxies: 1, domains: 1 }, "1 proxy and 1 domain"],
  [{ proxies: 0, domains: 2500 }, "0 proxies and 2500 domains"],
])("formatInventoryCounts describes the counts %j in words", (inventory, text) => {
  expect(formatInventoryCounts(inventory)).toBe(text);
});
