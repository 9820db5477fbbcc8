import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createGateway } from "@reports/client";
import { waitFor } from "@reports/testing";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, passwordOf, startConsole, type ConsoleUnderTest } from "./console-under-test.ts";
import { faultsOf } from "./faults.ts";
import { startIssuer } from "./issuer-under-test.ts";

const root = join(import.meta.dirname, "../../..");
/** A browser, an API and a worker next to everything else. In milliseconds. */
const onBusyMachine = 300_000;
const authorities = ["REPORT_PROXY", "REPORT_PROXY_DOMAIN", "REGISTRY_READ", "REPORTS_ADMIN", "WEBHOOKS_WRITE"];
const denied = "{ get() { throw new DOMException('Denied by a setting.', 'SecurityError'); } }";
const withoutStorage = ["localStorage", "sessionStorage"]
  .map((name) => `Object.defineProperty(window, "${name}", ${denied});`)
  .join("\n");

let console_: ConsoleUnderTest;
let fragments: Readonly<Record<string, string>>;
let scheduleId: string;

describe.skipIf(!hasChromium)("the console in a browser without a known time zone", { timeout: onBusyMachine }, () => {
  beforeAll(async () => {
    console_ = await startConsole(root, { ann: authorities }, { TZ: "Invalid/Zone", LANGUAGE: "xx_YY" });
    const gateway = createGateway({
      baseUrl: console_.api.url,
      credentials: { name: "ann", password: passwordOf("ann") },
    });
    const report = await gateway.reports.start({ reportType: "PROXY", format: "csv" });
    await gateway.reports.wait(report.id);
    const schedule = { name: "Mornings", reportType: "PROXY", cron: "0 7 * * *", timezone: "Europe/Amsterdam" };
    scheduleId = (await gateway.schedules.create(schedule)).record.id;
    const hook = { url: `http://127.0.0.1:${console_.receiverPort}/`, events: ["report.succeeded"] } as const;
    const { id: webhookId } = await gateway.webhooks.create(hook);
    const [proxy] = await Array.fromAsync(gateway.proxies.list());
    const [domain] = await Array.fromAsync(gateway.domains.list());
    fragments = {
      reports: "",
      "reports/ID": `/${report.id}`,
      new: "?type=PROXY&format=csv&preview=yes&timezone=UTC",
      schedules: "",
      "schedules/ID": `/${scheduleId}`,
      schedule: "?type=PROXY&format=csv",
      proxies: "",
      "proxies/ID": `/${proxy!.id}`,
      domains: "",
      "domains/ID": `/${domain!.id}`,
      certificates: "",
      webhooks: "",
      "webhooks/ID": `/${webhookId}`,
      webhook: "",
      queue: "",
    };
  }, onBusyMachine);
  afterAll(async () => console_[Symbol.asyncDispose]());
  afterEach(async ({ task }) => {
    const shown = await console_.closePages();
    if (task.result?.state === "fail") process.stdout.write(`${task.name} ended with:\n${shown}\n`);
    const complaints = console_.complaints.splice(0);
    if (complaints.length > 0) throw new Error(`The browser complains:\n${complaints.join("\n")}`);
  });

  async function openUnusual(script: string): Promise<Page> {
    const page = await console_.open({ locale: "xx-YY" });
    await page.addInitScript(script);
    await page.goto(`${console_.api.url}/console`);
    await page.getByLabel("Name", { exact: true }).fill("ann");
    await page.getByLabel("Password").fill(passwordOf("ann"));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "My reports" }).waitFor();
    return page;
  }

  async function goTo(page: Page, fragment: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
  }

  test.each([
    ["a zone that Intl refuses", ""],
    ["no zone", "Intl.DateTimeFormat.prototype.resolvedOptions = () => ({});"],
    ["no storage", withoutStorage],
    ["no clipboard", "Object.defineProperty(navigator, 'clipboard', { value: undefined });"],
  ])("every page is shown in a browser with %s", async (_, script) => {
    const page = await openUnusual(script);
    const sources = readFileSync(join(root, "apps/console/src/shell/pages.ts"), "utf8");
    const paths = [...sources.matchAll(/\{ path: "([^"]+)", title: "([^"]+)"/g)];
    expect(Object.keys(fragments).toSorted()).toEqual(paths.map(([, path]) => path!).toSorted());
    for (const [, path, title] of paths) {
      await goTo(page, `#/${path!.replace("/ID", "")}${fragments[path!]}`);
      await waitFor(async () => (await page.title()).startsWith(`${title} `), { what: `the page ${path}` });
      await waitFor(async () => (await page.locator(".loading").count()) === 0, { what: `the content of ${path}` });
      await page.locator("h1").first().waitFor();
      const headings = await page.locator("h1").count();
      const alerts = await page.getByRole("alert").allTextContents();
      expect({ path, headings, alerts }).toEqual({ path, headings: 1, alerts: [] });
    }
  });

  test("times and zones of a browser without a zone are those of UTC, by name", async () => {
    const page = await openUnusual("");
    await page.locator("tbody .moment .whole").first().waitFor({ state: "attached" });
    const moments = await page.locator("tbody .moment .whole").allTextContents();
    for (const text of moments) expect(text).toMatch(/\d\d:\d\d:\d\d UTC$/);
    await goTo(page, "#/schedule?type=PROXY&format=csv");
    await waitFor(async () => (await page.getByLabel("Time zone").inputValue()) === "UTC", {
      what: "the default zone",
    });
    await goTo(page, `#/schedules/${scheduleId}`);
    const headings = page.getByRole("region", { name: "Next times" }).getByRole("columnheader");
    await headings.first().waitFor();
    expect(await headings.allTextContents()).toEqual(["Europe/Amsterdam", "Yours: UTC"]);
  });

  test("a schedule in a zone that the browser does not know is shown in UTC", async () => {
    const page = await openUnusual("");
    await page.route(`**/v1/report-schedules/${scheduleId}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), timezone: "Mars/Base" } });
    });
    await goTo(page, `#/schedules/${scheduleId}`);
    const headings = page.getByRole("region", { name: "Next times" }).getByRole("columnheader");
    await headings.first().waitFor();
    expect(await headings.allTextContents()).toEqual(["UTC"]);
  });

  test("an error of a page shows a message and is logged, and the next page is clean", async () => {
    const page = await openUnusual("");
    await page.route("**/v1/proxies?*", async (route) => route.fulfill({ json: [null] }));
    await goTo(page, "#/proxies");
    await page.getByRole("heading", { name: "This page could not be shown" }).waitFor();
    expect(await page.locator("main").innerText()).toContain("send the text below to the operator");
    expect(await faultsOf(page)).toEqual([]);
    expect(console_.complaints.splice(0)).toEqual([expect.stringMatching(/^Proxies could not be shown: TypeError/)]);
    await page.getByRole("link", { name: "Schedules" }).click();
    await page.getByRole("link", { name: "Mornings" }).waitFor();
    expect(await page.locator("h1").allTextContents()).toEqual(["All schedules"]);
    expect(await page.getByRole("alert").count()).toBe(0);
    // Once the cause has gone, the page is there again.
    await page.goBack();
    await page.getByRole("heading", { name: "This page could not be shown" }).waitFor();
    console_.complaints.splice(0);
    await page.unroute("**/v1/proxies?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("table.rows tbody tr").first().waitFor();
  });

  test("a browser that denies storage is told why it cannot sign in at the issuer", async () => {
    await using issuer = await startIssuer({ clientId: "console", audience: "reports", authorities });
    await console_.api.restart({
      AUTH_JWT_SECRET: "",
      AUTH_JWKS_URL: `${issuer.url}/keys`,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: "reports",
      CONSOLE_OIDC_CLIENT_ID: "console",
    });
    const page = await console_.open();
    await page.addInitScript(withoutStorage);
    await page.goto(`${console_.api.url}/console`);
    await page.getByRole("button", { name: "Sign in with your organisation" }).click();
    await page.getByText("This browser denies storage, which this sign-in needs.", { exact: false }).waitFor();
    expect(issuer.asked).toEqual([]);
  });

  test("the console removes the verifier of a sign-in that was abandoned", async () => {
    await using issuer = await startIssuer({ clientId: "console", audience: "reports", authorities });
    await console_.api.restart({
      AUTH_JWT_SECRET: "",
      AUTH_JWKS_URL: `${issuer.url}/keys`,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: "reports",
      CONSOLE_OIDC_CLIENT_ID: "console",
    });
    const page = await console_.open();
    // The browser stays where it is, as when somebody stops the page of the issuer.
    await page.route(`${issuer.url}/authorize?*`, async (route) => route.fulfill({ status: 204 }));
    await page.goto(`${console_.api.url}/console`);
    await page.getByRole("button", { name: "Sign in with your organisation" }).click();
    await waitFor(async () => page.evaluate("sessionStorage.length === 1"), { what: "the verifier" });
    await page.goto("about:blank");
    await page.goto(`${console_.api.url}/console`);
    await page.getByRole("button", { name: "Sign in with your organisation" }).waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });
});
