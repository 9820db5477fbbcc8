import { builtInReportTypes } from "@reports/core/report";
import { expect, test } from "vitest";
import { walkThrough } from "./walk-through.ts";

const origin = "http://127.0.0.1:4310";
const options = { origin, demo: null, hasConsole: true, definitions: builtInReportTypes };

test("every address is one that the service answers at, and a base path is for the proxy in front alone", () => {
  const text = walkThrough({ ...options, basePath: "/gw" });
  const addresses = [...text.matchAll(/http:\/\/127\.0\.0\.1:4310[\w/]*/g)].map(([address]) => address);
  expect(addresses.length).toBeGreaterThan(4);
  expect(addresses.filter((address) => address.includes("/gw"))).toEqual([]);
  expect(text).toContain("PUBLIC_BASE_PATH is /gw:");
});

test("without a base path there is no word of it", () => {
  expect(walkThrough({ ...options, basePath: "" })).not.toContain("PUBLIC_BASE_PATH");
});
