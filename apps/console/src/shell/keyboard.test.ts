import { waitFor } from "@reports/testing";
import { beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities, type ServiceAddress } from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, test } from "../test/browser-test.ts";
import { getSharedService } from "../test/console-service.ts";
import { waitForFocus } from "../test/wait-for-focus.ts";

const authorities = [...allReportAuthorities, "REGISTRY_READ"];
let service: ServiceAddress;

describe.skipIf(!hasChromium).concurrent("the console by keyboard", { timeout: browserTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedService();
  }, browserTimeoutMs);

  test("shortcuts open pages, and the focus stays visible and near what changed", async ({ pages }) => {
    const ann = await addUser(service, "ann", authorities);
    for (let report = 0; report < 2; report++) await ann.gateway.reports.start({ reportType: "PROXY", format: "csv" });
    const page = await pages.openAs(ann);
    await page.locator("[data-row]").first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    const moments = await page.evaluate(
      "[...document.querySelectorAll('tbody .whole')].filter((one) => getComputedStyle(one).clipPath === 'none').map((one) => one.textContent)",
    );
    expect(moments).toEqual([expect.stringMatching(/\d{4}, \d\d:\d\d:\d\d/)]);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "What happened" }).waitFor();
    await page.keyboard.press("n");
    await page.getByText("New report", { exact: true }).waitFor();
    await waitForFocus(page, "tagName", "MAIN");
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("INPUT");

    // A row that gets the focus is never under the table's sticky head.
    await page.setViewportSize({ width: 1400, height: 600 });
    await page.evaluate("location.hash = '#/proxies'");
    await page.locator("[data-row]").nth(30).focus();
    for (let row = 29; row >= 0; row--) {
      await page.keyboard.press("Shift+Tab");
      const gap = await page.evaluate<number>(
        "document.activeElement.getBoundingClientRect().top - document.querySelector('thead th').getBoundingClientRect().bottom",
      );
      expect(gap).toBeGreaterThanOrEqual(0);
    }

    // After a filter is removed, the focus is on the next filter, or on the search field if none is left.
    await page.evaluate("location.hash = '#/domains?f.severity=EXPIRED&f.severity=CRITICAL&f.certNotAfterTo=now'");
    const chips = page.getByRole("button", { name: /^Remove the filter/ });
    await waitFor(async () => (await chips.count()) === 3, { what: "the filters" });
    const names = await page.evaluate<string[]>(
      "[...document.querySelectorAll('button.chip')].map(({ ariaLabel }) => ariaLabel)",
    );
    await chips.nth(2).focus();
    for (const next of [names[1]!, names[0]!]) {
      await page.keyboard.press("Enter");
      await waitForFocus(page, "ariaLabel", next);
    }
    await page.keyboard.press("Enter");
    await waitForFocus(page, "name", "f.q");
    await page.evaluate("location.hash = '#/domains?f.severity=EXPIRED&f.severity=CRITICAL'");
    await waitFor(async () => (await chips.count()) === 2, { what: "the filters again" });
    await chips.first().focus();
    await page.keyboard.press("Enter");
    await waitForFocus(page, "ariaLabel", "Remove the filter Severity: Critical");
    await page.getByRole("button", { name: "Clear filters" }).focus();
    await page.keyboard.press("Enter");
    await waitForFocus(page, "name", "f.q");
    expect(await chips.count()).toBe(0);

    // After a column moves to the end, the focus is on the arrow that moves it back.
    await page.evaluate("location.hash = '#/new?type=PROXY_DOMAIN&columns=hostname,status,severity'");
    const isAt = async (label: string) => waitForFocus(page, "ariaLabel", label);
    await page.getByRole("button", { name: "Host name: move down" }).focus();
    await page.keyboard.press("Enter");
    await isAt("Host name: move down");
    await page.keyboard.press("Enter");
    await isAt("Host name: move up");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await isAt("Host name: move down");
    expect(new URLSearchParams(page.url().split("?")[1]).get("columns")).toBe("hostname,status,severity");
  });
});
