import { RateLimitedError } from "@reports/core/caller";
import { expect, test } from "vitest";
import { createDownloadSlots } from "./download-slots.ts";

test("limits downloads per principal and in total, and reuses released slots", () => {
  const slots = createDownloadSlots({ total: 3, perPrincipal: 2 });
  const free = slots.take("a");
  slots.take("a");
  expect(() => slots.take("a")).toThrow(RateLimitedError);
  slots.take("b");
  expect(() => slots.take("b")).toThrow(/3 concurrent downloads for all/);
  free();
  free();
  slots.take("b");
  expect(() => slots.take("c")).toThrow(RateLimitedError);
});

test("0 turns both download limits off", () => {
  const slots = createDownloadSlots({ total: 0, perPrincipal: 0 });
  expect(() => {
    for (let index = 0; index < 1000; index++) slots.take("a");
  }).not.toThrow();
});
