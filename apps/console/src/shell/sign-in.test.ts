import { hashPassword } from "@reports/auth";
import { createUserStore } from "@reports/db";
import { waitFor } from "@reports/testing";
import { beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities, runWithServiceDatabase, type ServiceAddress } from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, submitSignInForm, test } from "../test/browser-test.ts";
import { getSharedService } from "../test/console-service.ts";
import { findAccessibilityViolations } from "../test/page-violations.ts";

let service: ServiceAddress;
const stored = "[{ ...localStorage }, { ...sessionStorage }, document.cookie]";

/**
 * Tokens have no time left, so that the client renews its token before each call. While `holdsRenewal` is true, the page gets no token. `hasRenewed`
 * is true after the gateway has sent one, and `releaseRenewal` gives it to the page.
 */
const holdRenewalScript = `
  const send = fetch;
  const released = new Promise((resolve) => (window.releaseRenewal = resolve));
  window.fetch = async (...request) => {
    const response = await send(...request);
    if (!response.url.endsWith("/v1/tokens")) return response;
    const token = { ...(await response.json()), expires_in: 0 };
    if (window.holdsRenewal) {
      window.hasRenewed = true;
      await released;
    }
    return Response.json(token, { status: response.status });
  };`;

describe.skipIf(!hasChromium).concurrent("the console's sign-in", { timeout: browserTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedService();
  }, browserTimeoutMs);

  test("sign-in marks a wrong password, and survives a reload but no new tab or sign-out", async ({ pages }) => {
    const ben = await addUser(service, "ben", allReportAuthorities);
    const page = await pages.open(service);
    await submitSignInForm(page, ben.name, "wrong");
    await page.getByText("The name or the password is wrong.").waitFor();
    expect(await page.getByLabel("Password").getAttribute("aria-invalid")).toBe("true");
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await submitSignInForm(page, ben.name);
    await page.getByRole("heading", { name: "My reports" }).waitFor();
    await page.getByRole("heading", { name: "No reports yet" }).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    // The page stores the API's token, which expires soon, but not the password.
    expect(await page.evaluate(stored)).toEqual([
      {},
      { token: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/) },
      "",
    ]);

    await page.evaluate("location.hash = '#/new?type=PROXY&title=Half+done'");
    const passwords: string[] = [];
    page.on("request", (request) => {
      const authorization = request.headers()["authorization"] ?? "";
      if (authorization.startsWith("Basic ")) passwords.push(request.url());
    });
    await page.reload();
    const signOut = page.getByRole("button", { name: "Sign out" });
    await signOut.waitFor();
    expect(await page.getByText(ben.name, { exact: true }).getAttribute("title")).toBe(`basic:${ben.name}`);
    expect(await page.getByLabel("Title").inputValue()).toBe("Half done");
    expect(passwords).toEqual([]);
    const tab = await page.context().newPage();
    await tab.goto(`${service.url}/console`);
    await tab.getByRole("heading", { name: "Sign in" }).waitFor();
    await signOut.click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.evaluate(stored)).toEqual([{}, {}, ""]);
    await page.reload();
    await page.getByLabel("Password").waitFor();

    // If the API rejects the stored token, the console removes it and shows the form.
    await submitSignInForm(page, ben.name);
    await signOut.waitFor();
    await page.evaluate("sessionStorage.setItem('token', sessionStorage.getItem('token').slice(0, -3) + 'AAA')");
    await page.reload();
    await page.getByLabel("Password").waitFor();
    expect(await page.evaluate(stored)).toEqual([{}, {}, ""]);
  });

  test("a token that is renewed after the user has signed out is not stored", async ({ pages }) => {
    const page = await pages.open(service, "", { script: holdRenewalScript });
    await submitSignInForm(page, (await addUser(service, "ben", allReportAuthorities)).name);
    await page.getByRole("heading", { name: "No reports yet" }).waitFor();
    await page.evaluate("window.holdsRenewal = true");
    await page.getByRole("link", { name: "Schedules" }).click();
    await waitFor(async () => page.evaluate("window.hasRenewed === true"), { what: "a renewal of the token" });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.evaluate("window.releaseRenewal()");
    // The page has read the token before it gets the response to a later request.
    await page.evaluate("fetch('health/live').then((response) => response.text())");
    expect(await page.evaluate(stored)).toEqual([{}, {}, ""]);
  });

  test("the browser test reports a violation of the content security policy", async ({ pages }) => {
    const page = await pages.open(service);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.evaluate(
      "document.head.append(Object.assign(document.createElement('style'), { textContent: 'b {}' }))",
    );
    await waitFor(async () => pages.complaints.length > 0, { what: "a complaint" });
    expect(pages.complaints.splice(0)).toEqual([expect.stringContaining("Content Security Policy")]);
  });

  test("users see only the pages and report types that their authorities allow", async ({ pages }) => {
    const ann = await addUser(service, "ann", allReportAuthorities);
    const { id } = await ann.gateway.reports.start({ reportType: "PROXY_DOMAIN", format: "csv" });
    const page = await pages.openAs(await addUser(service, "guest", []));
    const pageNames = async (): Promise<string[]> => page.getByRole("navigation").getByRole("link").allTextContents();
    const signInAs = async (name: string, authorities: readonly string[]): Promise<void> => {
      await page.getByRole("button", { name: "Sign out" }).click();
      await submitSignInForm(page, (await addUser(service, name, authorities)).name);
    };
    await page.getByRole("heading", { name: "You have no authority for any report type" }).waitFor();
    await page.getByText("Ask the operator of the gateway").waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    expect(await pageNames()).toEqual(["Reports"]);
    expect(await page.getByRole("link", { name: "New report" }).count()).toBe(0);
    await page.evaluate("location.hash = '#/new'");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();

    await signInAs("proxies", ["REPORT_PROXY"]);
    await page.getByRole("heading", { name: "Proxy inventory" }).waitFor();
    expect(await page.getByRole("radio", { name: "Domains and certificates" }).count()).toBe(0);
    await page.evaluate(`location.hash = '#/reports/${id}'`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();

    await signInAs("operator", ["REGISTRY_READ", "REPORTS_ADMIN"]);
    await page.getByRole("link", { name: "Queue" }).click();
    await page.getByRole("row", { name: /Short reports quick/ }).waitFor();
    await page.getByRole("row", { name: /Proxy inventory, Domains and certificates/ }).waitFor();
    expect(await pageNames()).toEqual(["Reports", "Schedules", "Register", "Queue"]);
    await page.evaluate("location.hash = '#/certificates'");
    await page.getByRole("heading", { name: "Certificates" }).waitFor();
    expect(await page.getByRole("link", { name: "Report of this view" }).count()).toBe(0);
  });

  test("ended sessions open a sign-in dialog over the page, which keeps its state", async ({ pages }) => {
    const temp = await addUser(service, "temp", allReportAuthorities);
    const page = await pages.openAs(temp, "#/new?type=PROXY&f.region=somewhere&title=Half+done");
    const newPassword = "another long password";
    const passwordHash = await hashPassword(newPassword);
    await runWithServiceDatabase(service, async (database) => createUserStore(database).setDisabled(temp.name, true));
    // Dispatches the event, because the dialog may already cover the button: the page's request for an estimate also gets a 401.
    await page.getByRole("button", { name: "Start the pdf report" }).dispatchEvent("click");
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await runWithServiceDatabase(service, async (database) => {
      await createUserStore(database).setDisabled(temp.name, false);
      await createUserStore(database).setPasswordHash(temp.name, passwordHash);
    });
    const continueWithNewPassword = async (): Promise<void> => {
      await dialog.getByLabel("Password").fill(newPassword);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
    };
    await continueWithNewPassword();
    expect(await page.getByLabel("Title").inputValue()).toBe("Half done");
    await page.getByRole("button", { name: "Start the pdf report" }).click();
    await page.getByRole("heading", { level: 1, name: "Half done" }).waitFor();

    // After a reload, the page has only a token, so the dialog needs the password again.
    await page.reload();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await page.route("**/v1/reports?*", async (route) => {
      // An invalid token gets the same 401 as an expired one.
      await route.continue({ headers: { ...route.request().headers(), authorization: "Bearer ended" } });
    });
    await page.evaluate("location.hash = '#/reports?of=all'");
    expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe(temp.name);
    await page.unroute("**/v1/reports?*");
    await continueWithNewPassword();
    await page.getByRole("heading", { name: "All reports" }).waitFor();
  });
});
