import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";
import { createConsoleSignIn } from "./console-sign-in.ts";
import { readConsoleSite } from "./console-site.ts";

const script = `console.log(${JSON.stringify("a".repeat(2_000))});`;

let folder: string;
let api: ApiUnderTest;
let withoutConsole: ApiUnderTest;
let withIssuer: ApiUnderTest;
const failures: unknown[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "console-site-"));
  for (const [name, text] of [
    ["index.html", "<!doctype html><title>Console</title>"],
    ["main-AB12.js", script],
    ["console-CD34.css", "body { color: black }"],
    ["icon-EF56.svg", "<svg/>"],
    ["main-AB12.js.map", "{}"],
  ] as const)
    await writeFile(join(folder, name), text);
  api = await startApiUnderTest({ console: readConsoleSite(folder, null)!, basePath: "/gateway" });
  withoutConsole = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  const signIn = createConsoleSignIn(
    { issuer: "https://issuer.example/realm", clientId: 'a"><b', scope: "openid reports" },
    {
      discover: async () => Promise.reject(new Error("away")),
      onFailure: (error) => failures.push(error),
    },
  );
  withIssuer = await startApiUnderTest({ databaseUrl: api.databaseUrl, console: readConsoleSite(folder, signIn)! });
});
afterAll(async () => {
  await withIssuer[Symbol.asyncDispose]();
  await withoutConsole[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test("the page is never kept, runs its own scripts alone and takes no script out of a text", async () => {
  const { headers, text } = await api.anonymous().get("/console").set("Accept", "text/html").expect(200);
  expect(text).toContain("<title>Console</title>");
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'none'; " +
      "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  });
  expect(headers).not.toHaveProperty("set-cookie");
});

test.each([
  ["main-AB12.js", "text/javascript; charset=utf-8"],
  ["console-CD34.css", "text/css; charset=utf-8"],
  ["icon-EF56.svg", "image/svg+xml"],
])("%s is kept for a year", async (name, contentType) => {
  const { headers } = await api.anonymous().get(`/console/${name}`).expect(200);
  expect(headers).toMatchObject({
    "content-type": contentType,
    "cache-control": "public, max-age=31536000, immutable",
  });
  // A picture that is opened by itself runs nothing.
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
});

test("a script is compressed and arrives as it was built", async () => {
  const { headers, text } = await api
    .anonymous()
    .get("/console/main-AB12.js")
    .set("Accept-Encoding", "gzip")
    .buffer()
    .parse((response, done) => {
      let body = "";
      response.on("data", (bytes) => (body += String(bytes))).on("end", () => done(null, body));
    })
    .then((answer) => ({ headers: answer.headers, text: answer.body as string }));
  expect(headers["content-encoding"]).toBe("gzip");
  expect(text).toBe(script);
});

test.each(["main-AB12.js.map", "index.html", "..%2Fpackage.json", "constructor", "main-OLD.js"])(
  "there is no file %s",
  async (name) => {
    const { body, headers } = await api.anonymous().get(`/console/${name}`).expect(404);
    expect(body).toMatchObject({ code: "path-not-found" });
    expect(headers["cache-control"] ?? "").not.toContain("immutable");
  },
);

test("without a console neither the page nor its files are there", async () => {
  for (const path of ["/console", "/console/main-AB12.js"]) {
    const { status } = await withoutConsole.anonymous().get(path);
    expect([path, status]).toEqual([path, 404]);
  }
});

test("a folder without a page is no console", () => {
  expect(readConsoleSite(join(folder, "missing"), null)).toBeNull();
});

test("where people sign in at an issuer, the page is told how, may talk to it, and takes what it sends them back with", async () => {
  const back = "/console?code=1&code=2&state=x&session_state=y&iss=z";
  const away = await withIssuer.anonymous().get(back).expect(200);
  expect(away.headers["content-security-policy"]).toContain("; connect-src 'self' https://issuer.example; ");
  expect(failures).toHaveLength(1);
  expect(away.text).toContain(
    '<meta name="oidc" content="{&quot;issuer&quot;:&quot;https://issuer.example/realm&quot;,&quot;clientId&quot;:&quot;a\\&quot;><b&quot;,' +
      '&quot;scope&quot;:&quot;openid reports&quot;}">',
  );
  // An issuer that is away is not asked for every page.
  await withIssuer.anonymous().get("/console").expect(200);
  expect(failures).toHaveLength(1);
  // Elsewhere a query stays a mistake.
  await api.anonymous().get("/console?code=1").expect(400);
});

test("the policy names the token endpoint's origin, too, once the issuer has told it", async () => {
  let asked = 0;
  const signIn = createConsoleSignIn(
    { issuer: "https://issuer.example/realm", clientId: "console", scope: "openid" },
    {
      async discover() {
        asked++;
        return new URL("https://tokens.example:8443/a/token");
      },
      onFailure: (error) => failures.push(error),
    },
  );
  const told = ["https://issuer.example", "https://tokens.example:8443"];
  expect(await Promise.all([signIn.origins(), signIn.origins()])).toEqual([told, told]);
  expect(await signIn.origins()).toEqual(told);
  expect(asked).toBe(1);
});

test("programs are not told of it", async () => {
  const { body } = await api.anonymous().get("/openapi.json").expect(200);
  expect(Object.keys((body as { paths: object }).paths).filter((path) => path.includes("/console"))).toEqual([]);
});
