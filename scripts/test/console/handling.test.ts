import { join } from "node:path";
import { createGateway, type Gateway } from "@reports/client";
import { waitFor } from "@reports/testing";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, passwordOf, startConsole, type ConsoleUnderTest } from "./console-under-test.ts";
import { faultsOf } from "./faults.ts";

const root = join(import.meta.dirname, "../../..");
/** A browser, an API and a worker beside everything else. In milliseconds. */
const onBusyMachine = 300_000;

let console_: ConsoleUnderTest;
let gateway: Gateway;

describe.skipIf(!hasChromium)("how the console is handled", { timeout: onBusyMachine }, () => {
  beforeAll(async () => {
    console_ = await startConsole(root, {
      ann: ["REPORT_PROXY", "REPORT_PROXY_DOMAIN", "REGISTRY_READ", "WEBHOOKS_WRITE"],
      guest: [],
    });
    const credentials = { name: "ann", password: passwordOf("ann") };
    gateway = createGateway({ baseUrl: console_.api.url, credentials });
  }, onBusyMachine);
  afterAll(async () => console_[Symbol.asyncDispose]());
  afterEach(async ({ task }) => {
    const shown = await console_.closePages();
    if (task.result?.state === "fail") process.stdout.write(`${task.name} ended with:\n${shown}\n`);
    const complaints = console_.complaints.splice(0);
    if (complaints.length > 0) throw new Error(`The browser complains:\n${complaints.join("\n")}`);
  });

  test("the columns of a pdf are those that a pdf shows by itself; one that is taken away stays where it is", async () => {
    const page = await console_.openAs("ann", "#/new?type=PROXY_DOMAIN&format=pdf&preview=yes");
    await page.getByText("Columns: 9 of 22 (the default of pdf)").click();
    const items = page.locator(".columns li label");
    const before = await items.allTextContents();
    expect(await page.locator(".columns :checked").count()).toBe(9);
    await page.locator(".preview tbody tr").first().waitFor();
    expect(await page.locator(".preview th").count()).toBe(9);
    await page.getByRole("checkbox", { name: "Days left" }).uncheck();
    await page.getByText("Columns: 8 of 22").waitFor();
    expect(await items.allTextContents()).toEqual(before);
    const asked = new URLSearchParams(page.url().split("?")[1]).get("columns");
    expect(asked).toBe("hostname,proxyName,proxyEnvironment,status,upstream,certNotAfter,severity,issues");
    await page.getByRole("checkbox", { name: "Days left" }).check();
    await page.getByText("Columns: 9 of 22 (the default of pdf)").waitFor();
    await page.getByRole("radio", { name: /^csv/ }).check();
    await page.getByText("Columns: all 22").waitFor();
  });

  test("a preview shows values as the documents do: codes by their titles, numbers at the right, times in words", async () => {
    const page = await console_.openAs(
      "ann",
      "#/new?type=PROXY_DOMAIN&preview=yes&columns=tlsMinVersion,certNotAfter,bytesOut24h,http2Enabled&f.tlsMode=CUSTOM",
    );
    const cells = page.locator(".preview tbody tr").first().getByRole("cell");
    await cells.first().waitFor();
    const texts = await cells.allTextContents();
    expect(texts[0]).toMatch(/^TLS 1\.\d$/);
    expect(texts[1]).toMatch(/^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d$/);
    expect(texts[2]).toMatch(/^[\d.]+\s([kMGT]?B)$/);
    expect(texts[3]).toMatch(/^(Yes|No)$/);
    const alignment = "getComputedStyle(document.querySelector('.preview tbody td:nth-child(3)')).textAlign";
    expect(await page.evaluate(alignment)).toBe("right");
  });

  test("what is wrong with a start is said once, at its field, which gets the focus; the summary leads to each field", async () => {
    const page = await console_.openAs("ann", "#/new?type=PROXY&format=csv&f.createdFrom=yesterday&timezone=Mars");
    await page.getByRole("button", { name: "Start the csv report" }).click();
    const label = "document.activeElement.labels?.[0]?.textContent";
    await waitFor(async () => (await page.evaluate(label)) === "Created, from", {
      what: "the first wrong field to have the focus",
    });
    expect(await page.getByText(/RFC 3339 time of/).allTextContents()).toEqual([expect.stringMatching(/^Must be/)]);
    const box = page.getByRole("complementary", { name: "Start" });
    await box.getByRole("button", { name: "Time zone of the file" }).click();
    expect(await page.evaluate("document.activeElement.value")).toBe("Mars");
    expect(await faultsOf(page)).toEqual([]);
  });

  test("filters of the register are named as its columns are; those in use are in sight, and are taken away one by one or together", async () => {
    const page = await console_.openAs("ann", "#/domains?f.severity=EXPIRED&f.severity=CRITICAL&f.certNotAfterTo=now");
    await page.getByText("More filters (2 in use)").waitFor();
    await page.getByRole("button", { name: "Certificate ends, before: now" }).waitFor();
    await page.getByRole("button", { name: "Severity: Critical" }).click();
    expect(new URLSearchParams(page.url().split("?")[1]).getAll("f.severity")).toEqual(["EXPIRED"]);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear filters" }).click();
    expect(page.url()).toMatch(/#\/domains$/);
  });

  test("who takes filters away by keyboard goes on at the next one, and after the last one at the search", async () => {
    const page = await console_.openAs("ann", "#/domains?f.severity=EXPIRED&f.severity=CRITICAL&f.certNotAfterTo=now");
    const chips = page.getByRole("button", { name: /^Remove the filter/ });
    await waitFor(async () => (await chips.count()) === 3, { what: "the filters" });
    const names = await page.evaluate<string[]>(
      "[...document.querySelectorAll('button.chip')].map(({ ariaLabel }) => ariaLabel)",
    );
    // The last one first, then from the first one on.
    await chips.nth(2).focus();
    for (const next of [names[1]!, names[0]!]) {
      await page.keyboard.press("Enter");
      await hasFocus(page, "ariaLabel", next);
    }
    await page.keyboard.press("Enter");
    await hasFocus(page, "name", "f.q");
    await page.evaluate("location.hash = '#/domains?f.severity=EXPIRED&f.severity=CRITICAL'");
    await waitFor(async () => (await chips.count()) === 2, { what: "the filters again" });
    await chips.first().focus();
    await page.keyboard.press("Enter");
    await hasFocus(page, "ariaLabel", "Remove the filter Severity: Critical");
    await page.getByRole("button", { name: "Clear filters" }).focus();
    await page.keyboard.press("Enter");
    await hasFocus(page, "name", "f.q");
    expect(await chips.count()).toBe(0);
  });

  test("who moves a column by keyboard to its last place has the focus on the way back", async () => {
    const page = await console_.openAs("ann", "#/new?type=PROXY_DOMAIN&columns=hostname,status,severity");
    const isAt = async (label: string) => hasFocus(page, "ariaLabel", label);
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

  test("a row that gets the focus by the keyboard is never under what stays in sight", async () => {
    const page = await console_.openAs("ann", "#/proxies", { viewport: { width: 1400, height: 600 } });
    await page.locator("[data-row]").nth(30).focus();
    for (let row = 29; row >= 0; row--) {
      await page.keyboard.press("Shift+Tab");
      const gap = await page.evaluate<number>(
        "document.activeElement.getBoundingClientRect().top - document.querySelector('thead th').getBoundingClientRect().bottom",
      );
      expect(gap).toBeGreaterThanOrEqual(0);
    }
  });

  test("who may start nothing is told so, and whom to ask", async () => {
    const page = await console_.openAs("guest");
    await page.getByRole("heading", { name: "You have no authority for any report type" }).waitFor();
    await page.getByText("Ask whoever runs the gateway").waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  test("a secret that is shown once is not lost by Esc", async () => {
    const page = await console_.openAs("ann", `#/webhook?url=http%3A%2F%2F127.0.0.1%3A${console_.receiverPort}%2Fhook`);
    await page.getByRole("button", { name: "Create the webhook" }).click();
    const told = page.getByRole("dialog", { name: "The webhook’s secret" });
    const secret = await told.locator("code").textContent();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await told.locator("code").textContent()).toBe(secret);
    await told.getByRole("button", { name: "I have stored it" }).click();
    await told.waitFor({ state: "detached" });
  });

  test("an unread page says that the gateway cannot be reached, and shows nothing that seems to be on its way", async () => {
    const page = await console_.openAs("ann", "#/reports");
    await page.getByRole("heading", { level: 1, name: "My reports" }).waitFor();
    await page.context().setOffline(true);
    await page.evaluate("location.hash = '#/proxies'");
    await page.getByText("Cannot reach the gateway. Trying again", { exact: false }).waitFor();
    expect(await page.locator(".loading").count()).toBe(0);
    await page.context().setOffline(false);
    await page.locator("[data-row]").first().waitFor();
  });

  test("texts that a pdf shortens are a note on its page; its state stays good", async () => {
    const { id } = await gateway.reports.start({ reportType: "PROXY_DOMAIN", format: "pdf", title: "Shortened" });
    const report = await gateway.reports.wait(id);
    expect(report.warnings.map(({ code }) => code)).toEqual(["TEXTS_SHORTENED"]);
    const page = await console_.openAs("ann", "#/reports");
    const row = page.getByRole("row", { name: /Shortened/ });
    expect(await row.locator(".state").textContent()).toBe("Succeeded");
    await row.getByRole("link").click();
    await page.getByRole("heading", { name: "Texts shortened" }).waitFor();
    expect(await page.locator(".tone-warn, .notice.warn").count()).toBe(0);
    await page.getByText("by ann").first().waitFor();
  });

  test("a report is changed and run with every option that it had", async () => {
    const { id } = await gateway.reports.start({
      reportType: "PROXY",
      format: "pdf",
      accessible: true,
      paper: "LETTER",
    });
    await gateway.reports.wait(id);
    const page = await console_.openAs("ann", `#/reports/${id}`);
    await page.getByRole("link", { name: "Change and run" }).click();
    await page.getByRole("button", { name: "Start the pdf report" }).click();
    await page.getByRole("button", { name: /^Download pdf/ }).waitFor();
    const again = await gateway.reports.get(page.url().split("/").at(-1)!);
    expect(again.id).not.toBe(id);
    expect(again.options).toMatchObject({ accessible: true, paper: "LETTER" });
  });

  // Last, because no worker runs afterwards.
  describe("while no worker runs", () => {
    beforeAll(async () => console_.api.stopWorker());

    test("a second click on Cancel starts nothing, within a second of the first one's effect", async () => {
      const before = await count();
      await gateway.reports.start({ reportType: "PROXY", format: "csv", title: "Twice" });
      const page = await console_.openAs("ann", "#/reports");
      const row = page.getByRole("row", { name: /Twice/ });
      const cancel = (await row.getByRole("button", { name: "Cancel: Twice" }).boundingBox())!;
      const [x, y] = [cancel.x + cancel.width / 2, cancel.y + cancel.height / 2];
      // By the page itself, as soon as it has drawn the effect: from here it might come when the second is over.
      const clicked = page.evaluate<string>(
        `new Promise((clicked) => new MutationObserver((_, observer) => {
          const again = document.elementFromPoint(${x}, ${y});
          if (!again?.ariaLabel?.startsWith("Run again")) return;
          observer.disconnect();
          again.click();
          clicked(again.ariaLabel);
        }).observe(document.body, { subtree: true, childList: true, attributes: true }))`,
      );
      await page.mouse.click(x, y);
      expect(await clicked).toBe("Run again: Twice");
      await row.getByText("Cancelled").waitFor();
      await page.getByRole("heading", { level: 1, name: "My reports" }).waitFor();
      expect(await count()).toBe(before + 1);
      // A moment later it does what it says.
      await row.getByRole("button", { name: "Run again: Twice" }).click();
      await page.getByRole("button", { name: "Cancel: Twice" }).waitFor();
      expect(await count()).toBe(before + 2);
    });

    test("who cancels by keyboard goes on at the report: at its row, or at the heading of its page", async () => {
      for (const title of ["In a list", "On its page"])
        await gateway.reports.start({ reportType: "PROXY", format: "csv", title });
      const page = await console_.openAs("ann", "#/reports");
      await page.getByRole("button", { name: "Cancel: In a list" }).focus();
      await page.keyboard.press("Enter");
      await hasFocus(page, "textContent", "In a list");
      await page.getByRole("link", { name: "On its page" }).click();
      await page.getByRole("heading", { level: 1, name: "On its page" }).waitFor();
      await page.getByRole("button", { name: "Cancel: On its page" }).focus();
      await page.keyboard.press("Enter");
      await hasFocus(page, "tagName", "H1");
      await page.getByRole("button", { name: "Delete: On its page" }).click();
      await page.getByRole("button", { name: "Delete", exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "My reports" }).waitFor();
      await hasFocus(page, "tagName", "MAIN");
      await page.getByRole("button", { name: "Delete: In a list" }).click();
      await page.getByRole("button", { name: "Delete", exact: true }).focus();
      await page.keyboard.press("Enter");
      await hasFocus(page, "tagName", "H1");
      expect(await page.getByRole("link", { name: "In a list" }).count()).toBe(0);
    });
  });

  /** Waits until what has the focus has this property. */
  async function hasFocus(page: Page, property: string, value: string): Promise<void> {
    await waitFor(async () => (await page.evaluate(`document.activeElement.${property}`)) === value, {
      what: `the focus at ${value}`,
      timeoutMs: 10_000,
    });
  }

  async function count(): Promise<number> {
    return (await Array.fromAsync(gateway.reports.list({ requestedBy: "me" }))).length;
  }
});
