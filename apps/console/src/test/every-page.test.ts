import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isFullTestRun, startWebhookReceiver } from "@reports/testing";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities, type TestUser } from "./add-user.ts";
import { browserTimeoutMs, hasChromium, test, type BrowserPages } from "./browser-test.ts";
import { getSharedService, type SharedService } from "./console-service.ts";
import { visitPageStates, type VisitedPageState } from "./walk.ts";

/** With `onlyInCi`, only CI visits the state, because it looks like another state of its page or of another page. */
interface PageState extends VisitedPageState {
  readonly onlyInCi?: boolean;
}

const authorities = [...allReportAuthorities, "REGISTRY_READ", "REPORTS_ADMIN", "WEBHOOKS_WRITE"];
const walked: string[] = [];

const firstRow = (page: Page): Locator => page.locator("[data-row]").first();
const facts = (page: Page): Locator => page.locator("dl.facts");
const invalidForm = (page: Page): Locator => page.getByText("Please check these fields");
const press =
  (name: string) =>
  async (page: Page): Promise<void> =>
    page.getByRole("button", { name }).click();

let service: SharedService;

async function expectNoViolations(pages: BrowserPages, walker: TestUser, states: readonly PageState[]): Promise<void> {
  const visited = states.filter(({ onlyInCi }) => isFullTestRun || onlyInCi !== true);
  const { fragments, violations } = await visitPageStates(await pages.openAs(walker), visited);
  walked.push(...fragments);
  expect(violations).toEqual([]);
}

describe.skipIf(!hasChromium)("every page of the console", { timeout: 2 * browserTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedService();
  }, browserTimeoutMs);

  describe.concurrent("checks in both colour schemes and widths", () => {
    test("axe finds no violation on the pages of reports, schedules and unknown routes", async ({ pages }) => {
      const walker = await addUser(service, "walker", authorities);
      const report = await walker.gateway.reports.start({ reportType: "PROXY", format: "pdf", title: "For axe" });
      await walker.gateway.reports.wait(report.id);
      const { record } = await walker.gateway.schedules.create({
        name: "Weekdays",
        reportType: "PROXY_DOMAIN",
        searchParam: { severity: ["EXPIRED"] },
        options: { format: "xlsx", title: "What has expired" },
        cron: "30 6 * * 1-5",
        timezone: "Europe/Amsterdam",
      });
      await walker.gateway.schedules.run(record.id);
      await expectNoViolations(pages, walker, [
        {
          fragment: "#/reports",
          title: "My reports",
          shown: (page) => page.locator("[data-row]").locator("..").getByRole("link", { name: "Weekdays" }),
        },
        { onlyInCi: true, fragment: "#/reports?of=all&format=pdf", title: "All reports", shown: firstRow },
        {
          onlyInCi: true,
          fragment: "#/reports?before=2020-01-01T00%3A00%3A00Z",
          title: "My reports",
          shown: (page) => page.getByRole("heading", { name: "No report matches" }),
        },
        {
          fragment: `#/reports/${report.id}`,
          title: "For axe",
          shown: (page) => page.getByRole("button", { name: /^Download pdf/ }),
        },
        { title: "For axe", act: press("Delete: For axe"), shown: (page) => page.getByRole("dialog") },
        {
          onlyInCi: true,
          fragment: `#/reports/${randomUUID()}`,
          title: "Report",
          shown: (page) => page.getByRole("heading", { name: "Not found" }),
        },
        {
          fragment: "#/new?type=PROXY&format=xlsx&f.health=UP&columns=name,health,region",
          title: "Proxy inventory",
          shown: (page) => page.locator(".preview tbody tr"),
        },
        {
          onlyInCi: true,
          fragment: "#/new?type=PROXY_DOMAIN&f.severity=EXPIRED&f.upstreamPort=none&columns=hostname,daysLeft&title=x",
          title: "Domains and certificates",
          act: press("Start the pdf report"),
          shown: invalidForm,
        },
        { fragment: "#/schedules", title: "Schedules", shown: (page) => page.getByRole("row", { name: /Weekdays/ }) },
        {
          fragment: `#/schedules/${record.id}`,
          title: "Weekdays",
          shown: (page) => page.getByRole("region", { name: "History" }).getByText("Started"),
        },
        {
          fragment: "#/schedule?type=PROXY&f.health=DOWN&rhythm=month&zone=Mars",
          title: "Proxy inventory",
          act: press("Create the schedule"),
          shown: invalidForm,
        },
        {
          fragment: "#/nowhere",
          title: "Page not found",
          shown: (page) => page.getByRole("link", { name: "Go to the reports" }),
        },
        {
          onlyInCi: true,
          title: "Page not found",
          act: async (page) => page.locator("main").press("?"),
          shown: (page) => page.getByRole("dialog", { name: "Keyboard shortcuts" }),
        },
      ]);
    });

    test("axe finds no violation on pages of webhooks, queue and inventory, also offline", async ({ pages }) => {
      await using receiver = await startWebhookReceiver(service.receiverPorts.everyPage);
      receiver.answerWith(404);
      const walker = await addUser(service, "walker", authorities);
      const { id: webhookId } = await walker.gateway.webhooks.create({
        url: `${receiver.origin}/${"nowhere/".repeat(20)}`,
        events: ["report.succeeded", "report.failed", "schedule.paused"],
      });
      await walker.gateway.webhooks.test(webhookId);
      await expectNoViolations(pages, walker, [
        {
          fragment: "#/webhooks",
          title: "Webhooks",
          shown: (page) => page.getByRole("row", { name: /nowhere/ }),
        },
        {
          fragment: `#/webhooks/${webhookId}`,
          title: /./,
          shown: (page) => page.getByRole("row", { name: /Test/ }).getByText("answered 404"),
        },
        {
          title: /./,
          async act(page) {
            await press("Rotate the secret")(page);
            await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
          },
          shown: (page) => page.getByRole("dialog", { name: "The webhook’s secret" }),
        },
        {
          fragment: "#/webhook?url=ftp://x&events=",
          title: /webhook/,
          act: press("Create the webhook"),
          shown: invalidForm,
        },
        {
          fragment: "#/queue",
          title: "Queue",
          shown: (page) => page.getByRole("row", { name: /Proxy inventory, Domains and certificates/ }),
        },
        { fragment: "#/proxies?f.q=-001&sort=name", title: "Proxies", shown: firstRow },
        {
          onlyInCi: true,
          fragment: "#/proxies?f.port=none",
          title: "Proxies",
          shown: (page) => page.locator("[aria-invalid=true]"),
        },
        {
          onlyInCi: true,
          fragment: "#/proxies?f.q=nowhere",
          title: "Proxies",
          shown: (page) => page.getByRole("link", { name: "Clear filters" }),
        },
        { fragment: "#/proxies", title: /-\d+$/, act: async (page) => firstRow(page).click(), shown: facts },
        { fragment: "#/domains?f.severity=EXPIRED", title: "Domains", shown: firstRow },
        { title: /\./, act: async (page) => firstRow(page).click(), shown: facts },
        {
          onlyInCi: true,
          fragment: `#/domains/${randomUUID()}`,
          title: "Domain",
          shown: (page) => page.getByRole("heading", { name: "Which proxy?" }),
        },
        { fragment: "#/certificates", title: "Certificates", shown: firstRow },
        {
          fragment: "#/domains?f.severity=CRITICAL",
          title: "Domains",
          async act(page) {
            await firstRow(page).waitFor();
            await page.context().setOffline(true);
          },
          shown: (page) => page.getByText("Cannot reach the gateway.", { exact: false }),
        },
      ]);
    });
  });

  test("the tests of this file visit every page of the console", () => {
    const sources = readFileSync(join(import.meta.dirname, "../shell/console-pages.ts"), "utf8");
    const paths = [...sources.matchAll(/\{ path: "([^"]+)"/g)].map(([, path]) => path!);
    const reached = walked.map((each) => each.replace(/^#\//, "").replace(/\?.*/, "").replace(/\/.*/, "/ID"));
    expect(paths.filter((path) => !reached.includes(path))).toEqual([]);
  });
});
