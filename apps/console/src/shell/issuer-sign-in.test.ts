import { isFullTestRun } from "@reports/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { addUser } from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, submitSignInForm, test, denyStorageScript } from "../test/browser-test.ts";
import { startDedicatedService, type DedicatedService } from "../test/console-service.ts";
import { findAccessibilityViolations } from "../test/page-violations.ts";
import { startIssuerUnderTest, type IssuerUnderTest } from "../test/issuer-under-test.ts";

let issuer: IssuerUnderTest;
let service: DedicatedService;

const signInName = "Sign in with your organisation";
const stored = "[{ ...localStorage }, { ...sessionStorage }, document.cookie]";

/**
 * Answers redirects to the issuer with 204, after which the browser stays on its page, as if the issuer had failed or the user had stopped. The
 * returned function waits until that has happened. A navigation before that would be aborted.
 */
async function stopAtIssuer(page: Page): Promise<() => Promise<void>> {
  const answered = Promise.withResolvers<void>();
  await page.route(`${issuer.url}/authorize?*`, async (route) => {
    await route.fulfill({ status: 204 });
    answered.resolve();
  });
  return async () => {
    await answered.promise;
    // The browser has processed the 204 before it gets the response to a later request.
    await page.evaluate("fetch('health/live').then((response) => response.text())");
  };
}

// The tests run one after another, because each of them changes how the shared issuer responds.
describe.skipIf(!hasChromium)("the console's sign-in at an issuer", { timeout: browserTimeoutMs }, () => {
  beforeAll(async () => {
    issuer = await startIssuerUnderTest({
      clientId: "console",
      audience: "reports",
      authorities: ["REPORT_PROXY", "WEBHOOKS_WRITE"],
    });
    service = await startDedicatedService({
      AUTH_JWT_SECRET: "",
      AUTH_JWKS_URL: `${issuer.url}/keys`,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: "reports",
      CONSOLE_OIDC_CLIENT_ID: "console",
      CONSOLE_OIDC_SCOPE: "openid reports",
      WEBHOOK_KEY: "",
    });
  }, browserTimeoutMs);
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await issuer[Symbol.asyncDispose]();
  });

  test("a sign-in at the issuer restores the page and lasts until the user signs out", async ({ pages }) => {
    const page = await pages.open(service);
    const used: string[] = [];
    page.on("request", (request) => used.push(request.headers()["authorization"] ?? ""));
    await page.goto(`${service.url}/console#/new?type=PROXY&title=From+the+issuer`);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole("button", { name: signInName }).click();
    const signOut = page.getByRole("button", { name: "Sign out" });
    await signOut.waitFor();
    // The API of this file has no WEBHOOK_KEY, so the navigation lacks "Webhooks".
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
      "Reports",
      "New",
      "Schedules",
    ]);
    expect(await page.getByLabel("Title").inputValue()).toBe("From the issuer");
    expect(page.url()).toBe(`${service.url}/console#/new?type=PROXY&title=From+the+issuer`);
    expect(await page.evaluate(stored)).toEqual([{ issuer: "1" }, {}, ""]);
    expect(new Set(used.filter((value) => value !== ""))).toEqual(new Set([`Bearer ${issuer.accessTokens.at(-1)}`]));
    expect(issuer.authorizationQueries.at(-1)).toMatchObject({
      response_type: "code",
      client_id: "console",
      scope: "openid reports",
      code_challenge_method: "S256",
      redirect_uri: `${service.url}/console`,
    });

    await page.getByLabel("Title").fill("Half done");
    await page.getByText("Down", { exact: true }).click();
    // An invalid token gets the same 401 as an expired one.
    await page.route("**/v1/**", async (route) => {
      await route.continue({ headers: { ...route.request().headers(), authorization: "Bearer ended" } });
    });
    // Dispatches the event, because the dialog may already cover the button: the page's request for an estimate also gets a 401.
    await page.getByRole("button", { name: "Start the pdf report" }).dispatchEvent("click");
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.unroute("**/v1/**");
    await dialog.getByRole("button", { name: signInName }).click();
    await dialog.waitFor({ state: "detached" });
    await signOut.waitFor();
    expect(await page.getByLabel("Title").inputValue()).toBe("Half done");
    expect(await page.evaluate(stored)).toEqual([{ issuer: "1" }, {}, ""]);
    await page.getByRole("button", { name: "Start the pdf report" }).click();
    await page.getByRole("heading", { level: 1, name: "Half done" }).waitFor();
    await page.getByText("Health: Down").waitFor();

    await page.evaluate("location.hash = '#/schedules'");
    await page.reload();
    await signOut.waitFor();
    expect(page.url()).toBe(`${service.url}/console#/schedules`);
    expect(issuer.authorizationQueries.at(-1)).toMatchObject({ prompt: "none", code_challenge_method: "S256" });
    const tab = await page.context().newPage();
    await tab.goto(`${service.url}/console#/new?type=PROXY`);
    await tab.getByRole("button", { name: "Sign out" }).click();
    await tab.reload();
    await tab.getByRole("button", { name: signInName }).waitFor();
    expect(await tab.evaluate(stored)).toEqual([{}, {}, ""]);
  });

  test("after a failed silent sign-in, the form is shown", async ({ pages }) => {
    const page = await pages.open(service);
    const signIn = page.getByRole("button", { name: signInName });
    const signOut = page.getByRole("button", { name: "Sign out" });
    await signIn.click();
    await signOut.waitFor();
    issuer.setOutcome("no session");
    await page.reload();
    await signIn.waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await page.evaluate(stored)).toEqual([{}, {}, ""]);
    const asked = issuer.authorizationQueries.length;
    await page.reload();
    await signIn.waitFor();
    expect(issuer.authorizationQueries).toHaveLength(asked);
    issuer.setOutcome("as it should");
  });

  // In every run, the other tests of this file find no stored verifier after refusals.
  test("after an abandoned sign-in, the form is shown", { skip: !isFullTestRun }, async ({ pages }) => {
    const page = await pages.open(service);
    const signIn = page.getByRole("button", { name: signInName });
    const signOut = page.getByRole("button", { name: "Sign out" });
    await signIn.click();
    await signOut.waitFor();
    const waitForSilentStop = await stopAtIssuer(page);
    await page.reload();
    await waitForSilentStop();
    expect(await page.evaluate("sessionStorage.length")).toBe(1);
    await page.reload();
    await signIn.waitFor();
    expect(await page.evaluate(stored)).toEqual([{}, {}, ""]);

    // The stored verifier of an abandoned sign-in is removed.
    const waitForStop = await stopAtIssuer(page);
    await signIn.click();
    await waitForStop();
    expect(await page.evaluate("sessionStorage.length")).toBe(1);
    await page.goto("about:blank");
    await page.goto(`${service.url}/console`);
    await signIn.waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });

  // In every run, another test of this file signs in by password after the issuer's refusals.
  test(
    "users can sign in by password while the issuer does not answer",
    { skip: !isFullTestRun },
    async ({ pages }) => {
      const page = await pages.open(service, "", { keepsTimeLimits: true });
      // The page then signs in silently, as after an earlier sign-in at the issuer.
      await page.evaluate("localStorage.setItem('issuer', '1')");
      const discovery = `${issuer.url}/.well-known/*`;
      await page.route(discovery, () => undefined);
      await Promise.all([page.waitForRequest(discovery), page.reload()]);
      await page.getByText("With name and password").click();
      await submitSignInForm(page, (await addUser(service, "eve", ["REPORT_PROXY"])).name);
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      expect(await page.evaluate(stored)).toEqual([{}, {}, ""]);
    },
  );

  test("untrusted authorization endpoints, refusals and foreign responses sign nobody in", async ({ pages }) => {
    const address = `${service.url}/console`;
    const page = await pages.open(service);
    const signIn = page.getByRole("button", { name: signInName });
    // The first three are refused for different reasons. Only CI tests the others.
    for (const endpoint of [
      "javascript:document.title='run'",
      "http://issuer.example/authorize",
      "not a URL",
      ...(isFullTestRun
        ? [
            "data:text/html,<title>run</title>",
            "blob:https://issuer.example/1",
            "file:///etc/passwd",
            "//issuer.example/authorize",
          ]
        : []),
    ]) {
      issuer.setAuthorizationEndpoint(endpoint);
      // The page removes the message of the previous endpoint before it requests the metadata of the issuer.
      await Promise.all([page.waitForResponse(`${issuer.url}/.well-known/*`), signIn.click()]);
      await page.getByText("The issuer’s sign-in address is not https.").waitFor();
      expect(page.url().startsWith(address)).toBe(true);
      expect(await page.title()).not.toBe("run");
      expect(await page.evaluate("sessionStorage.length")).toBe(0);
    }
    issuer.setAuthorizationEndpoint(null);
    for (const [how, sentence] of [
      ["denied", "The issuer did not let you in."],
      ["another state", "The issuer’s answer does not belong to this sign-in."],
      ["another nonce", "The issuer’s answer does not belong to this sign-in."],
      ["another code", "The issuer refused: The code is not of this verifier."],
    ] as const) {
      issuer.setOutcome(how);
      await page.goto(address);
      await signIn.click();
      await page.getByText(sentence).waitFor();
      expect(await page.evaluate("[location.search, sessionStorage.length]")).toEqual(["", 0]);
    }
    expect(await findAccessibilityViolations(page)).toEqual([]);
    issuer.setOutcome("as it should");
    // Login CSRF: an authorization code in another person's link must not sign the user in.
    await page.goto(`${address}?code=stolen&state=x`);
    await signIn.waitFor();
    expect(await page.evaluate("location.search")).toBe("");
    await page.getByText("With name and password").click();
    await submitSignInForm(page, (await addUser(service, "ben", ["REPORT_PROXY"])).name);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
  });

  // Other runs have no sign-in at an issuer without storage. In them, unusual-browsers.test.ts shows half of the pages without storage.
  test(
    "without storage in the browser, sign-in at the issuer fails with the reason",
    { skip: !isFullTestRun },
    async ({ pages }) => {
      const asked = issuer.authorizationQueries.length;
      const page = await pages.open(service, "", { script: denyStorageScript });
      await page.getByRole("button", { name: signInName }).click();
      await page.getByText("This browser denies storage, which this sign-in needs.", { exact: false }).waitFor();
      expect(issuer.authorizationQueries).toHaveLength(asked);
    },
  );
});
