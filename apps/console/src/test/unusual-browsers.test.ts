import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTestCaseDivider, waitFor } from "@reports/testing";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { addUser, type TestUser } from "./add-user.ts";
import {
  createBrowserTest,
  browserTimeoutMs,
  hasChromium,
  denyStorageScript,
  type BrowserPages,
} from "./browser-test.ts";
import { getSharedService } from "./console-service.ts";

const authorities = ["REPORT_PROXY", "REPORT_PROXY_DOMAIN", "REGISTRY_READ", "REPORTS_ADMIN", "WEBHOOKS_WRITE"];
/** Outside CI, divides the pages among the browsers to save time. In CI, every browser shows all pages. */
const nextPages = createTestCaseDivider();
const test = createBrowserTest({ TZ: "Invalid/Zone", LANGUAGE: "xx_YY" });

let ann: TestUser;
let fragments: Readonly<Record<string, string>>;
let scheduleId: string;

describe
  .skipIf(!hasChromium)
  .concurrent("the console in a browser with an unknown time zone", { timeout: browserTimeoutMs }, () => {
    beforeAll(async () => {
      const service = await getSharedService();
      ann = await addUser(service, "ann", authorities);
      const { gateway } = ann;
      const report = await gateway.reports.start({ reportType: "PROXY", format: "csv" });
      await gateway.reports.wait(report.id);
      const schedule = { name: "Mornings", reportType: "PROXY", cron: "0 7 * * *", timezone: "Europe/Amsterdam" };
      scheduleId = (await gateway.schedules.create(schedule)).record.id;
      const hook = { url: `http://127.0.0.1:${service.receiverPorts.unused}/`, events: ["report.succeeded"] } as const;
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
    }, browserTimeoutMs);

    async function openUnusual(pages: BrowserPages, script = ""): Promise<Page> {
      const page = await pages.openAs(ann, "", { locale: "xx-YY", script });
      await page.getByRole("heading", { name: "My reports" }).waitFor();
      return page;
    }

    async function goTo(page: Page, fragment: string): Promise<void> {
      await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    }

    test.for([
      ["a zone that Intl refuses, and no storage", denyStorageScript],
      [
        "no zone and no clipboard",
        `Intl.DateTimeFormat.prototype.resolvedOptions = () => ({});
        Object.defineProperty(navigator, "clipboard", { value: undefined });`,
      ],
    ])("every page of the console can be shown in a browser with %s", async ([, script], { pages }) => {
      const page = await openUnusual(pages, script);
      const sources = readFileSync(join(import.meta.dirname, "../shell/console-pages.ts"), "utf8");
      const paths = [...sources.matchAll(/\{ path: "([^"]+)", title: "([^"]+)"/g)];
      expect(Object.keys(fragments).toSorted()).toEqual(paths.map(([, path]) => path!).toSorted());
      for (const [, path, title] of nextPages(paths, 2)) {
        await goTo(page, `#/${path!.replace("/ID", "")}${fragments[path!]}`);
        await waitFor(async () => (await page.title()).startsWith(`${title} `), { what: `the page ${path}` });
        // These tests all act as one user, and the API runs one list per user at a time, so a list may have to wait. After a refusal, a page shows a
        // notice until it has read the list.
        const waiting = page.locator(".loading, .notice.retry");
        await waitFor(async () => (await waiting.count()) === 0, { what: `the content of ${path}` });
        await page.locator("h1").first().waitFor();
        const headings = await page.locator("h1").count();
        const alerts = await page.locator("[role=alert]:not(.retry *)").allTextContents();
        expect({ path, headings, alerts }).toEqual({ path, headings: 1, alerts: [] });
      }
    });

    test("times in a zone that the browser does not know are shown in UTC", async ({ pages }) => {
      const page = await openUnusual(pages);
      await page.locator("tbody .moment .whole").first().waitFor({ state: "attached" });
      const moments = await page.locator("tbody .moment .whole").allTextContents();
      for (const text of moments) expect(text).toMatch(/\d\d:\d\d:\d\d$/);
      await page.getByText("Times are in the time zone UTC.").waitFor();
      await goTo(page, "#/schedule?type=PROXY&format=csv");
      await waitFor(async () => (await page.getByLabel("Time zone").inputValue()) === "UTC", {
        what: "the default zone",
      });
      await goTo(page, `#/schedules/${scheduleId}`);
      const headings = page.getByRole("region", { name: "Next times" }).getByRole("columnheader");
      await headings.first().waitFor();
      expect(await headings.allTextContents()).toEqual(["Europe/Amsterdam", "Yours: UTC"]);
      await goTo(page, "#/schedules");
      await headings.first().waitFor({ state: "detached" });
      await page.route(`**/v1/report-schedules/${scheduleId}`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), timezone: "Mars/Base" } });
      });
      await goTo(page, `#/schedules/${scheduleId}`);
      await headings.first().waitFor();
      expect(await headings.allTextContents()).toEqual(["UTC"]);
    });
  });
