import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** Returns the token that a command with these variables sends. */
async function readSentToken(variables: Readonly<Record<string, string>>, profile?: string): Promise<string> {
  const sent: string[] = [];
  const answer = async (_: unknown, request?: RequestInit): Promise<Response> => {
    sent.push(new Headers(request?.headers).get("authorization") ?? "");
    return Response.json([]);
  };
  await createConfiguredGateway({ XDG_CONFIG_HOME: folder, ...variables }, answer, profile).reportTypes.list();
  return sent.join().replace("Bearer ", "");
}

test("--profile precedes the environment, which precedes REPORTS_PROFILE and the profile default", async () => {
  const url = "https://x.example";
  const path = getProfileFilePath({ XDG_CONFIG_HOME: folder });
  writeProfiles(path, new Map(["default", "team"].map((name) => [name, { url, token: name }])));
  const withToken = { REPORTS_URL: url, REPORTS_TOKEN: "variable" };
  expect(await readSentToken(withToken, "team")).toBe("team");
  expect(await readSentToken({ ...withToken, REPORTS_PROFILE: "team" })).toBe("variable");
  expect(await readSentToken({ REPORTS_PROFILE: "team" })).toBe("team");
  expect(await readSentToken({})).toBe("default");
});

test("a profile's token is not used after its expiry, or if others can read its file", async () => {
  const path = getProfileFilePath({ XDG_CONFIG_HOME: folder });
  const claims = Buffer.from(JSON.stringify({ exp: Date.now() / 1000 - 7200 })).toString("base64url");
  writeProfiles(path, new Map([["default", { url: "https://x.example", token: `e30.${claims}.e30` }]]));
  await expect(readSentToken({})).rejects.toThrow("The token of the profile default expired 2 h ago.");
  chmodSync(path, 0o644);
  await expect(readSentToken({})).rejects.toThrow(`Run: chmod 600 ${path}`);
  writeFileSync(path, "[]");
  chmodSync(path, 0o600);
  await expect(readSentToken({})).rejects.toThrow("does not hold profiles");
});
