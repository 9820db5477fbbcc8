import { builtInReportTypes } from "@reports/core/report";
import { expect, test } from "vitest";
import { renderWalkThrough } from "./render-walk-through.ts";

const origin = "http://127.0.0.1:4310";
const options = { origin, demo: null, hasConsole: true, definitions: builtInReportTypes };

test("with PUBLIC_BASE_PATH, the URLs that `npm start` prints lack the base path", () => {
  const text = renderWalkThrough({ ...options, basePath: "/gw" });
  const addresses = [...text.matchAll(/http:\/\/127\.0\.0\.1:4310[\w/]*/g)].map(([address]) => address);
  expect(addresses.length).toBeGreaterThan(4);
  expect(addresses.filter((address) => address.includes("/gw"))).toEqual([]);
  expect(text).toContain("PUBLIC_BASE_PATH is /gw:");
});

test("without PUBLIC_BASE_PATH, the text of `npm start` does not mention the variable", () => {
  expect(renderWalkThrough({ ...options, basePath: "" })).not.toContain("PUBLIC_BASE_PATH");
});
