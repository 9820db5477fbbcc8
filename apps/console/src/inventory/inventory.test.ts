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

  test("a user can filter and sort the proxies, and open the report form with both", async ({ pages }) => {
    const ann = await addUser(service, "ann", authorities);
    const page = await pages.openAs(ann, "#/proxies");
    await page.getByText("40 proxies").waitFor();
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
  });

  test("the list of proxies marks the field of a filter whose value is invalid", async ({ pages }) => {
    const ann = await addUser(service, "ann", authorities);
    const page = await pages.openAs(ann, "#/proxies?f.port=none");
    const port = page.getByRole("textbox", { name: "Port" });
    await waitFor(async () => (await port.getAttribute("aria-invalid")) === "true", { what: "the port to be marked" });
    expect(await page.getByRole("alert").first().textContent()).toContain("1 to 65535");
  });

  test("after a 429, a list shows the reason and the seconds until its next attempt", async ({ pages }) => {
    const ann = await addUser(service, "ann", authorities);
    const page = await pages.openAs(ann, "#/domains");
    await page.locator("[data-row]").first().waitFor();
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
    await page.getByRole("link", { name: "Domains" }).click();
    await page.locator("[data-row]").first().waitFor();
    expect(await page.getByText(detail).count()).toBe(0);
  });

  test("a user can remove one filter of a list, or all of them", async ({ pages }) => {
    const ann = await addUser(service, "ann", authorities);
    const page = await pages.openAs(ann, "#/domains?f.severity=EXPIRED&f.severity=CRITICAL&f.certNotAfterTo=now");
    await page.getByText("More filters (2 in use)").waitFor();
    await page.getByRole("button", { name: "Certificate ends: expired" }).waitFor();
    await page.getByRole("button", { name: "Severity: Critical" }).click();
    const severities = () => new URLSearchParams(page.url().split("?")[1]).getAll("f.severity").join();
    await waitFor(() => severities() === "EXPIRED", { what: "the URL to have only the severity EXPIRED" });
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await waitFor(() => page.url().endsWith("#/domains"), { what: "the URL to have no filters" });
  });

  test("certificates have filters, and the list of proxies shows the worst health first", async ({ pages }) => {
    const walker = await addUser(service, "ann", [
      ...allReportAuthorities,
      "REGISTRY_READ",
      "REPORTS_ADMIN",
      "WEBHOOKS_WRITE",
    ]);
    const page = await pages.openAs(walker, "#/certificates?f.q=no-such-name");
    await page.getByRole("heading", { name: "No certificate needs action" }).waitFor();
    await page.getByText("None that matches these filters is expired").waitFor();
    await page.getByRole("textbox", { name: "Contains" }).fill("");
    await page.locator("[data-row]").first().waitFor();
    await page.getByText("More filters").click();
    expect(await page.getByRole("group", { name: "Severity" }).count()).toBe(0);
    await page.evaluate("location.hash = '#/proxies'");
    await page.getByText("40 proxies").waitFor();
    const healths = await page.locator("tbody td:nth-child(2) .state").allTextContents();
    const ranks = healths.map((health) => ["Down", "Degraded", "Unknown", "Up"].indexOf(health));
    expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
    expect(new Set(ranks).size).toBeGreaterThan(1);
    await page.setViewportSize({ width: 360, height: 800 });
    const nav = "document.querySelector('.nav')";
    expect(await page.evaluate(`${nav}.scrollWidth - ${nav}.clientWidth`)).toBeLessThanOrEqual(0);
  });

  test("an administrator of reports sees the lanes and the workers on the page Queue", async ({ pages }) => {
    const operator = await addUser(service, "operator", ["REGISTRY_READ", "REPORTS_ADMIN"]);
    const page = await pages.openAs(operator, "#/queue");
    await page.getByRole("row", { name: /Short reports quick/ }).waitFor();
    await page.getByRole("row", { name: /Proxy inventory, Domains and certificates/ }).waitFor();
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
      "Reports",
      "Schedules",
      "Register",
      "Queue",
    ]);
    await page.goto(`${service.url}/console#/certificates`);
    await page.getByRole("heading", { name: "Certificates" }).waitFor();
    expect(await page.getByRole("link", { name: "Report of this view" }).count()).toBe(0);
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
