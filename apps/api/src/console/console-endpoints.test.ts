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
  api = await startApiUnderTest({ console: readConsoleSite(folder)!, basePath: "/gateway" });
  withoutConsole = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  const signIn = createConsoleSignIn(
    { issuer: "https://issuer.example/realm", clientId: 'a"><b', scope: "openid reports" },
    {
      discover: async () => Promise.reject(new Error("away")),
      onFailure: (error) => failures.push(error),
    },
  );
  withIssuer = await startApiUnderTest({ databaseUrl: api.databaseUrl, console: readConsoleSite(folder, { signIn })! });
});
afterAll(async () => {
  await withIssuer[Symbol.asyncDispose]();
  await withoutConsole[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test("the console's page is not cached and allows only scripts of its origin", async () => {
  const { headers, text } = await api.anonymous().get("/console").set("Accept", "text/html").expect(200);
  expect(text).toContain("><title>Report Gateway</title>");
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
])("browsers may cache the console's file %s for a year", async (name, contentType) => {
  const { headers } = await api.anonymous().get(`/console/${name}`).expect(200);
  expect(headers).toMatchObject({
    "content-type": contentType,
    "cache-control": "public, max-age=31536000, immutable",
  });
  // A browser can open the SVG file as a document, which must not run scripts.
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
});

test("the API sends a script of the console compressed and unchanged", async () => {
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
  "the console serves no file named %s, and answers 404",
  async (name) => {
    const { body, headers } = await api.anonymous().get(`/console/${name}`).expect(404);
    expect(body).toMatchObject({ code: "path-not-found" });
    expect(headers["cache-control"] ?? "").not.toContain("immutable");
  },
);

test("an API without a console answers 404 to all console paths", async () => {
  for (const path of ["/console", "/console/main-AB12.js"]) {
    const { status } = await withoutConsole.anonymous().get(path);
    expect([path, status]).toEqual([path, 404]);
  }
});

test("the console's page has the configured name and colour", () => {
  const brand = { name: "Acme & <Söhne>", colour: "7A1F5C" };
  expect(readConsoleSite(folder, { brand })!.page.bytes.toString()).toContain(
    '<meta name="theme-color" content="#7A1F5C" />\n<title>Acme &amp; &lt;Söhne&gt;</title>',
  );
});

test("readConsoleSite returns null if the console's folder has no index page", () => {
  expect(readConsoleSite(join(folder, "missing"))).toBeNull();
});

test("the console's page may call the OIDC issuer and accepts the issuer's redirect", async () => {
  const back = "/console?code=1&code=2&state=x&session_state=y&iss=z";
  const away = await withIssuer.anonymous().get(back).expect(200);
  expect(away.headers["content-security-policy"]).toContain("; connect-src 'self' https://issuer.example; ");
  expect(failures).toHaveLength(1);
  expect(away.text).toContain(
    '<meta name="oidc" content="{&quot;issuer&quot;:&quot;https://issuer.example/realm&quot;,&quot;clientId&quot;:&quot;a\\&quot;><b&quot;,' +
      '&quot;scope&quot;:&quot;openid reports&quot;}">',
  );
  await withIssuer.anonymous().get("/console").expect(200);
  expect(failures).toHaveLength(1);
  await api.anonymous().get("/console?code=1").expect(400);
});

test("the console may call the OIDC token endpoint, which the API looks up only once", async () => {
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
  const expected = ["https://issuer.example", "https://tokens.example:8443"];
  expect(await Promise.all([signIn.origins(), signIn.origins()])).toEqual([expected, expected]);
  expect(await signIn.origins()).toEqual(expected);
  expect(asked).toBe(1);
});

test("the OpenAPI document omits the console", async () => {
  const { body } = await api.anonymous().get("/openapi.json").expect(200);
  expect(Object.keys((body as { paths: object }).paths).filter((path) => path.includes("/console"))).toEqual([]);
});
