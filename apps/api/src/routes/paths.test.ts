import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStaticText } from "../http/static-text.ts";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  const console = { page: createStaticText(""), files: new Map(), signIn: null };
  api = await startApiUnderTest({ console, securityContact: "mailto:security@example.com" });
});
afterAll(async () => api[Symbol.asyncDispose]());

const legacyPaths = ["/v1/report", "/v1/report/download"];

test("all paths below /v1 consist of plural nouns and IDs, except two legacy endpoints", () => {
  const odd = api.endpoints
    .map(({ path }) => path)
    .filter((path) => path.startsWith("/v1/"))
    .filter((path) => !/^\/v1(?:\/(?:[a-z]+(?:-[a-z]+)*s|\{\w+\}))+$/.test(path));
  expect(new Set(odd)).toEqual(new Set(legacyPaths));
});

test("no path contains a verb or two consecutive IDs", () => {
  const verbs =
    /^(?:add|cancel|change|check|create|delete|do|download|edit|export|fetch|find|generate|get|import|insert|list|make|move|patch|post|put|read|remove|replace|retry|run|save|search|send|set|start|stop|store|transfer|update|upload|validate|write)s?$/;
  const offenders = api.endpoints.filter(
    ({ path }) => !legacyPaths.includes(path) && path.split("/").some((segment) => verbs.test(segment)),
  );
  expect(offenders).toEqual([]);
  expect(api.endpoints.filter(({ path }) => /\}\/\{/.test(path))).toEqual([]);
});

test("every operationId is unique", () => {
  const ids = api.endpoints.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the type URL of a problem returns its explanation as JSON and as HTML", async () => {
  const { body } = await api.anonymous().get("/nowhere").expect(404);
  const json = await api.anonymous().get(body.type).set("Accept", "application/json").expect(200);
  expect(json.body).toMatchObject({ code: "path-not-found", status: 404 });
  const page = await api.anonymous().get(body.type).set("Accept", "text/html").expect(200);
  expect(page.text).toContain("path-not-found");
  expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
  expect((await api.anonymous().get("/problems/nothing")).status).toBe(404);
  expect((await api.anonymous().get("/problems")).text).toContain("body-too-large");
});

test("`pnpm generate chart-paths` lists the paths that the chart's entrances expose", async () => {
  const exposed = api.endpoints
    .map(({ path }) => path)
    .filter((path) => path !== "/metrics" && !path.startsWith("/health/"))
    // The chart exposes only exact paths below /.well-known, because other programs use that folder too, for example to renew certificates.
    .map((path) => (path.startsWith("/.well-known/") ? path : `/${path.split("/")[1]}`));
  const text = [...new Set(exposed)].toSorted().map((path) => `${path}\n`);
  await expect(text.join("")).toMatchFileSnapshot(
    join(import.meta.dirname, "../../../../deploy/chart/files/public-paths.txt"),
  );
});
