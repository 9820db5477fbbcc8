import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createConfiguredGateway } from "./connection.ts";
import { getProfileFilePath, writeProfiles } from "./profiles/profile-file.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "reports-connection-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function connectTo(url: string, profileUrl: string): () => unknown {
  const environment = { XDG_CONFIG_HOME: folder, REPORTS_URL: url };
  writeProfiles(getProfileFilePath(environment), new Map([["default", { url: profileUrl, token: "token" }]]));
  return () => createConfiguredGateway(environment, undefined);
}

test.each([
  ["https://x.example/", "https://x.example"],
  ["https://x.example", "https://x.example//"],
  ["https://x.example/reports/", "https://x.example/reports"],
  ["https://X.example:443", "https://x.example"],
])("REPORTS_URL %s may use the token of a profile for %s", (url, profileUrl) => {
  expect(connectTo(url, profileUrl)).not.toThrow();
});

test.each([
  ["https://x.example/other", "https://x.example"],
  ["http://x.example", "https://x.example"],
  ["https://x.example:8443", "https://x.example"],
  ["https://x.example.org", "https://x.example"],
])("REPORTS_URL %s may not use the token of a profile for %s", (url, profileUrl) => {
  expect(connectTo(url, profileUrl)).toThrow("REPORTS_URL is not the address of the profile default");
});
