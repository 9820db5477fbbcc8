import { RateLimitedError } from "@reports/core/caller";
import { expect, test } from "vitest";
import { createDownloadLimiter } from "./download-limiter.ts";

test("download slots limit downloads per principal and in total, and can be reused", () => {
  const slots = createDownloadLimiter({ total: 3, perPrincipal: 2 });
  const release = slots.acquire("a");
  slots.acquire("a");
  expect(() => slots.acquire("a")).toThrow(RateLimitedError);
  slots.acquire("b");
  expect(() => slots.acquire("b")).toThrow(/3 concurrent downloads for all/);
  release();
  release();
  slots.acquire("b");
  expect(() => slots.acquire("c")).toThrow(RateLimitedError);
});

test("download limits of 0 allow any number of concurrent downloads", () => {
  const slots = createDownloadLimiter({ total: 0, perPrincipal: 0 });
  expect(() => {
    for (let index = 0; index < 1000; index++) slots.acquire("a");
  }).not.toThrow();
});
