import { waitFor } from "@reports/testing";
import { beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities, type ServiceAddress } from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, test } from "../test/browser-test.ts";
import { getSharedService } from "../test/console-service.ts";
import { findAccessibilityViolations } from "../test/page-violations.ts";
import { computeCertSeverity } from "./severity.ts";

const authorities = [...allReportAuthorities, "REGISTRY_READ"];
let service: ServiceAddress;

describe.skipIf(!hasChromium).concurrent("the inventory in the console", { timeout: browserTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedService();
  }, browserTimeoutMs);

  test("a user can filter and sort the inventory, and invalid filters are marked", async ({ pages }) => {
    const ann = await addUser(service, "ann", [...authorities, "REPORTS_ADMIN", "WEBHOOKS_WRITE"]);
    const page = await pages.openAs(ann, "#/certificates?f.q=no-such-name");
    await page.getByRole("heading", { name: "No certificate needs action" }).waitFor();
    await page.getByText("None that matches these filters is expired").waitFor();
    await page.getByRole("textbox", { name: "Contains" }).fill("");
    await page.locator("[data-row]").first().waitFor();
    await page.getByText("More filters").click();
    expect(await page.getByRole("group", { name: "Severity" }).count()).toBe(0);
    await page.setViewportSize({ width: 360, height: 800 });
    const nav = "document.querySelector('.nav')";
    expect(await page.evaluate(`${nav}.scrollWidth - ${nav}.clientWidth`)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1400, height: 900 });

    await page.evaluate("location.hash = '#/proxies'");
    await page.getByText("40 proxies").waitFor();
    // By default, the list shows the worst health first.
    const healths = await page.locator("tbody td:nth-child(2) .state").allTextContents();
    const ranks = healths.map((health) => ["Down", "Degraded", "Unknown", "Up"].indexOf(health));
    expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
    expect(new Set(ranks).size).toBeGreaterThan(1);
    await page.getByText("More filters").click();
    await page.getByRole("group", { name: "Health" }).getByText("Up", { exact: true }).click();
    const up = page.locator("tbody tr");
    await waitFor(async () => (await up.count()) < 40 && (await up.getByText("Up", { exact: true }).count()) > 0, {
      what: "the list to hold only proxies that are up",
    });
    await page.getByRole("button", { name: "Name" }).click();
    await page.locator("th[aria-sort=ascending]", { hasText: "Name" }).waitFor();
    await waitFor(
      async () => {
        const names = await page.locator("tbody .main").allTextContents();
        return names.length > 1 && names.toSorted().join() === names.join();
      },
      { what: "the names to be in order" },
    );
    const count = await up.count();
    await page.getByRole("link", { name: "Report of this view" }).click();
    await page.getByRole("heading", { name: "Proxy inventory" }).waitFor();
    expect(new URL(page.url()).hash).toContain("f.health=UP");
    expect(new URL(page.url()).hash).toContain("sort=name");
    await page.getByText(`${count} rows`).first().waitFor();

    await page.goto(`${service.url}/console#/proxies`);
    const name = (await page.locator("[data-row]").first().textContent())!;
    await page.locator("[data-row]").first().click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.locator("[data-row]").first().click();
    await page.getByText("Lowest TLS").or(page.getByText("No TLS")).first().waitFor();
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();

    await page.evaluate("location.hash = '#/proxies?f.port=none'");
    const port = page.getByRole("textbox", { name: "Port" });
    await waitFor(async () => (await port.getAttribute("aria-invalid")) === "true", { what: "the port to be marked" });
    expect(await page.getByRole("alert").first().textContent()).toContain("1 to 65535");
    await page.evaluate("location.hash = '#/domains?f.severity=EXPIRED&f.severity=CRITICAL&f.certNotAfterTo=now'");
    await page.getByText("More filters (2 in use)").waitFor();
    await page.getByRole("button", { name: "Certificate ends: expired" }).waitFor();
    await page.getByRole("button", { name: "Severity: Critical" }).click();
    const severities = () => new URLSearchParams(page.url().split("?")[1]).getAll("f.severity").join();
    await waitFor(() => severities() === "EXPIRED", { what: "the URL to have only the severity EXPIRED" });
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await waitFor(() => page.url().endsWith("#/domains"), { what: "the URL to have no filters" });
  });

  test("a page that cannot be shown says why, and other pages work", async ({ pages }) => {
    const ann = await addUser(service, "ann", authorities);
    const page = await pages.openAs(ann, "#/domains");
    const row = page.locator("[data-row]").first();
    const openDomains = async (): Promise<void> => {
      await page.getByRole("link", { name: "Domains" }).click();
      await page.getByRole("heading", { level: 1, name: "Domains" }).waitFor();
      await row.waitFor();
    };
    await row.waitFor();
    const detail = "Limit of 100 reads per minute reached.";
    await page.route("**/v1/proxies?*", async (route) =>
      route.fulfill({
        status: 429,
        headers: { "Retry-After": "60", "Content-Type": "application/problem+json" },
        json: { status: 429, code: "too-many-reads", title: "Too many reads", detail },
      }),
    );
    await page.getByRole("link", { name: "Proxies" }).click();
    await page.getByText(/^Limit of 100 reads per minute reached\. Trying again in \d+ s\.$/).waitFor();
    expect(await page.getByRole("button", { name: "Cancel" }).count()).toBe(0);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await openDomains();
    expect(await page.getByText(detail).count()).toBe(0);

    await page.route("**/v1/proxies?*", async (route) => route.fulfill({ json: [null] }));
    await page.getByRole("link", { name: "Proxies" }).click();
    await page.getByRole("heading", { name: "This page could not be shown" }).waitFor();
    expect(await page.locator("main").innerText()).toContain("send the text below to the operator");
    expect(await findAccessibilityViolations(page)).toEqual([]);
    expect(pages.complaints.splice(0)).toEqual([expect.stringMatching(/^Proxies could not be shown: TypeError/)]);
    await page.getByRole("link", { name: "Schedules" }).click();
    await page.getByRole("heading", { name: "No schedules yet" }).waitFor();
    expect(await page.locator("h1").allTextContents()).toEqual(["My schedules"]);
    expect(await page.locator("[role=alert]:not(.retry *)").count()).toBe(0);
    await page.goBack();
    await page.getByRole("heading", { name: "This page could not be shown" }).waitFor();
    pages.complaints.splice(0);
    await page.unroute("**/v1/proxies?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("table.rows tbody tr").first().waitFor();

    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Certificates" }).click();
    await page.getByText("Cannot reach the gateway. Trying again", { exact: false }).waitFor();
    expect(await page.locator(".loading").count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole("heading", { level: 1, name: "Certificates" }).waitFor();
    await row.waitFor();
  });

  test("the console computes the same severity of a domain as the API", async () => {
    const { gateway } = await addUser(service, "ann", ["REGISTRY_READ"]);
    const severities = ["EXPIRED", "CRITICAL", "WARN", "OK"];
    const shown = await Promise.all(
      severities.map(async (severity) => {
        const domains = await Array.fromAsync(gateway.domains.list({ severity }));
        return new Set(domains.map((domain) => computeCertSeverity(domain, Date.now())));
      }),
    );
    expect(shown).toEqual(severities.map((severity) => new Set([severity])));
  });
});
