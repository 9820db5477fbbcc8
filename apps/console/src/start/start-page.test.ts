import type { ReportType } from "@reports/client";
import { isFullTestRun, waitFor } from "@reports/testing";
import { beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities, type ServiceAddress } from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, submitSignInForm, test } from "../test/browser-test.ts";
import { getSharedService } from "../test/console-service.ts";
import { findAccessibilityViolations } from "../test/page-violations.ts";

let service: ServiceAddress;

describe.skipIf(!hasChromium).concurrent("the page that starts a report", { timeout: 2 * browserTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedService();
  }, browserTimeoutMs);

  test("the form shows each error of a start once, at its field, and keeps the values", async ({ pages }) => {
    const ann = await addUser(service, "ann", allReportAuthorities);
    const page = await pages.openAs(ann, "#/new?type=PROXY&format=csv");
    const box = page.getByRole("complementary", { name: "Start" });
    await box.getByText("No filters: all rows are included.").waitFor();
    await page.evaluate("location.hash = '#/new?type=PROXY&format=csv&timezone=Mars'");
    await box.getByText("Please check these fields").waitFor();
    expect(await box.getByText("all rows are included").count()).toBe(0);

    await page.evaluate("location.hash = '#/new?type=PROXY&format=csv&f.createdFrom=soon&timezone=Mars'");
    const createdFrom = page.getByLabel("Created, from");
    await waitFor(async () => (await createdFrom.inputValue()) === "soon", { what: "the form to show the filter" });
    await page.getByRole("button", { name: "Start the csv report" }).click();
    const label = "document.activeElement.labels?.[0]?.textContent";
    await waitFor(async () => (await page.evaluate(label)) === "Created, from", {
      what: "the first wrong field to have the focus",
    });
    expect(await page.getByText(/is not a time/).allTextContents()).toEqual([
      '"soon" is not a time. Write 30d, in 30 days, 31.01.2026, 2026-01-31, today or this month.',
    ]);
    await box.getByRole("button", { name: "Time zone of the file" }).click();
    expect(await page.evaluate("document.activeElement.value")).toBe("Mars");
    expect(await findAccessibilityViolations(page)).toEqual([]);

    await page.evaluate("location.hash = '#/new?type=PROXY&format=xlsx&f.port=none&f.health=DOWN&timezone=Mars'");
    await page.getByRole("button", { name: "Start the xlsx report" }).click();
    const port = page.getByRole("textbox", { name: "Port" });
    await waitFor(async () => (await port.getAttribute("aria-invalid")) === "true", { what: "the port to be marked" });
    const errorId = (await port.getAttribute("aria-describedby"))!.split(" ").at(-1)!;
    expect(await page.locator(`[id="${errorId}"]`).textContent()).toContain("Must be an integer from 1 to 65535");
    const zone = page.getByLabel("Time zone of the file");
    expect([await zone.getAttribute("aria-invalid"), await zone.inputValue(), await port.inputValue()]).toEqual([
      "true",
      "Mars",
      "none",
    ]);
    await port.fill("443");
    await zone.fill("Europe/Berlin");
    await page.getByRole("button", { name: "Start the xlsx report" }).click();
    await page.getByText("Port: 443").waitFor();
    expect(await page.getByRole("region", { name: "Request" }).textContent()).toContain("Europe/Berlin");
  });

  // In every run, format-advice.test.ts tests which format the page advises.
  test(
    "the form names subtotals, and starts a report with too many rows as xlsx",
    { skip: !isFullTestRun },
    async ({ pages }) => {
      const ann = await addUser(service, "ann", allReportAuthorities);
      const page = await pages.open(ann.service);
      await page.route("**/v1/report-types", async (route) => {
        const response = await route.fetch();
        // A busy API can refuse a list. The page then requests it again.
        if (!response.ok()) return route.fulfill({ response });
        const types = (await response.json()) as readonly ReportType[];
        const subtotals = ["Down", "Late"].map((title) => ({ key: title, title }));
        const json = types.map((type) => ({ ...type, subtotals: type.reportType === "PROXY" ? subtotals : [] }));
        return route.fulfill({ response, json });
      });
      await submitSignInForm(page, ann.name);
      await page.getByRole("link", { name: "New", exact: true }).click();
      await page.getByText("For each group, the file also has: Down, Late.").waitFor();
      await page.getByRole("radio", { name: "Domains and certificates" }).check();
      await page.getByRole("heading", { level: 1, name: "Domains and certificates" }).waitFor();
      expect(await page.getByText("For each group").count()).toBe(0);

      // The stand has too few rows for the page's message about too many rows, so the test changes the numbers in the API's response.
      await page.route("**/estimates?*", async (route) => {
        const response = await route.fetch();
        // A busy API can refuse an estimate. The page then requests it again.
        if (!response.ok()) return route.fulfill({ response });
        const estimates = (await response.json()) as readonly { readonly format: string }[];
        const json = estimates.map((each) => ({
          ...each,
          rows: 103_920,
          rowsAre: "EXACT",
          fits: each.format !== "pdf",
        }));
        return route.fulfill({ response, json });
      });
      await page.evaluate("location.hash = '#/new?type=PROXY&format=pdf&title=Large'");
      const box = page.getByRole("complementary", { name: "Start" });
      await box.getByText(/^Too many rows: pdf takes at most [\d,]+\.$/).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await box.getByRole("button", { name: "Start as xlsx" }).click();
      await page.getByRole("button", { name: /^Download xlsx/ }).waitFor();

      const { id } = await ann.gateway.reports.start({ reportType: "PROXY", format: "pdf", accessible: true });
      await ann.gateway.reports.wait(id);
      await page.route(`**/v1/reports/${id}`, async (route) => {
        const response = await route.fetch();
        const error = { code: "REPORT_TOO_LARGE", detail: "The report has too many rows.", retryable: false };
        await route.fulfill({ response, json: { ...(await response.json()), status: "FAILED", file: null, error } });
      });
      await page.evaluate(`location.hash = '#/reports/${id}'`);
      await page.getByRole("button", { name: /^Run as xlsx/ }).click();
      await page.getByRole("button", { name: /^Download xlsx/ }).waitFor();
    },
  );

  test("form and preview show the default columns first, and then the selected ones", async ({ pages }) => {
    const ann = await addUser(service, "ann", allReportAuthorities);
    const page = await pages.openAs(ann, "#/new?type=PROXY_DOMAIN&format=pdf");
    await page.getByText("Columns: 9 of 23 (the default of pdf)").click();
    const items = page.locator(".columns li label");
    const before = await items.allTextContents();
    expect(await page.locator(".columns :checked").count()).toBe(9);
    await page.locator(".preview tbody tr").first().waitFor();
    expect(await page.locator(".preview .tone-bad", { hasText: "Expired" }).count()).toBeGreaterThan(0);
    expect(await page.locator(".preview th").count()).toBe(9);
    await page.getByRole("checkbox", { name: "Days left" }).uncheck();
    await page.getByText("Columns: 8 of 23").waitFor();
    expect(await items.allTextContents()).toEqual(before);
    const asked = new URLSearchParams(page.url().split("?")[1]).get("columns");
    expect(asked).toBe("hostname,proxyName,proxyEnvironment,status,upstream,certNotAfter,severity,issues");
    await page.getByRole("checkbox", { name: "Days left" }).check();
    await page.getByText("Columns: 9 of 23 (the default of pdf)").waitFor();
    await page.getByRole("radio", { name: /^csv/ }).check();
    await page.getByText("Columns: all 23").waitFor();

    // The preview shows titles of codes, aligned numbers and times as report files do.
    await page.evaluate(
      "location.hash = '#/new?type=PROXY_DOMAIN&columns=tlsMinVersion,certNotAfter,bytesOut24h,http2Enabled&f.tlsMode=CUSTOM'",
    );
    await waitFor(async () => (await page.locator(".preview th").count()) === 4, { what: "the four columns" });
    const cells = page.locator(".preview tbody tr").first().getByRole("cell");
    await cells.first().waitFor();
    const texts = await cells.allTextContents();
    expect(texts[0]).toMatch(/^TLS 1\.\d$/);
    expect(texts[1]).toMatch(/^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d$/);
    expect(texts[2]).toMatch(/^[\d.]+\s([kMGT]?B)$/);
    expect(texts[3]).toMatch(/^(Yes|No)$/);
    await page.getByText("Times are in UTC").waitFor();
    expect(await page.getByText("Times are in the time zone").count()).toBe(0);
    const alignment = "getComputedStyle(document.querySelector('.preview tbody td:nth-child(3)')).textAlign";
    expect(await page.evaluate(alignment)).toBe("right");
  });

  // In every run, list-time-range-choices.test.ts tests the ranges and the typed times.
  test(
    "a user can choose a common range of times or type times in several ways",
    { skip: !isFullTestRun },
    async ({ pages }) => {
      const ann = await addUser(service, "ann", allReportAuthorities);
      const page = await pages.openAs(ann, "#/new?type=PROXY_DOMAIN&format=xlsx");
      const ends = page.getByRole("radiogroup", { name: "Certificate ends" });
      const parameter = (name: string): string | null => new URLSearchParams(page.url().split("?")[1]).get(name);
      const box = page.getByRole("complementary", { name: "Start" });
      await ends.getByRole("radio", { name: "Within 30 days" }).check();
      await box.getByText("Certificate ends: within 30 days.").waitFor();
      expect([parameter("f.certNotAfterFrom"), parameter("f.certNotAfterTo")]).toEqual(["now", "now+P30D"]);
      await ends.getByRole("radio", { name: "Between two dates" }).check();
      expect(await ends.getByLabel("to and including").inputValue()).toBe("in 30 days");
      await ends.getByLabel("Certificate ends, from").fill("1.1.2026");
      await ends.getByLabel("to and including").fill("31.01.2026");
      await box.getByText("Certificate ends: from 1 Jan to 31 Jan 2026.").waitFor();
      expect(parameter("f.certNotAfterTo")).toBe("2026-02-01T00:00:00Z");
      await ends.getByLabel("to and including").fill("01/02/2026");
      await ends.getByText('"01/02/2026" can mean 1 February or 2 January.').waitFor();
      await ends.getByRole("radio", { name: "Expired" }).check();
      const severity = page.getByRole("group", { name: "Severity" });
      await severity.getByText("Expiring soon", { exact: true }).click();
      await severity.getByText(/^Expiring soon: .+\.$/).waitFor();
      await severity.getByText("Expiring soon", { exact: true }).click();
      await page.getByRole("button", { name: "Start the xlsx report" }).click();
      const request = page.getByRole("region", { name: "Request" });
      await request.getByText("Certificate ends: expired").waitFor();
      await request.getByText(/^Certificate ends: before \d+ \w+ \d+, \d\d:\d\d(:\d\d)? UTC$/).waitFor();
    },
  );

  test("the preview follows changes of the form after a pause, and the user can hide it", async ({ pages }) => {
    const ann = await addUser(service, "ann", allReportAuthorities);
    const page = await pages.openAs(ann);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/\/rows\?/.test(request.url())) asked.push(request.url());
    });
    await page.evaluate("location.hash = '#/new?type=PROXY_DOMAIN&format=xlsx'");
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.locator("tbody tr").first().waitFor();
    const typed = "nowhere";
    const contains = page.getByRole("textbox", { name: "Contains" });
    const typeAndCountRequests = async (): Promise<number> => {
      await contains.fill("");
      await preview.locator("tbody tr").first().waitFor();
      asked.length = 0;
      await contains.pressSequentially(typed, { delay: 100 });
      await preview.getByText("No rows match these filters.").waitFor();
      return asked.length;
    };
    // On a busy machine, the keyboard can pause for as long as the form waits, so some characters may cause a request. If there were many such pauses,
    // the test types again.
    await waitFor(async () => (await typeAndCountRequests()) < typed.length / 2, {
      what: "fewer requests than half of the typed characters",
    });
    await page.getByText("Columns: all 23").click();
    const name = page.getByRole("checkbox", { name: "Severity" });
    await name.press("Alt+Home");
    await page.getByText("Severity: column 1 of 23").waitFor();
    expect(await page.locator(".columns label").first().textContent()).toBe("Severity");
    expect(await page.evaluate("document.activeElement.closest('li').textContent")).toContain("Severity");
    await page.getByRole("button", { name: "Severity: move to the end" }).click();
    await page.getByText("Severity: column 23 of 23").waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await preview.getByRole("button", { name: "Hide" }).click();
    await preview.getByRole("button", { name: "Show" }).waitFor();
    expect(await preview.locator("table, p").count()).toBe(0);
  });
});
