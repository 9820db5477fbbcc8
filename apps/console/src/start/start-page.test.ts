import { waitFor } from "@reports/testing";
import { beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities, type TestUser } from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, test } from "../test/browser-test.ts";
import { sharedService } from "../test/console-service.ts";
import { findViolations } from "../test/page-violations.ts";

let ann: TestUser;

describe.skipIf(!hasChromium).concurrent("the page that starts a report", { timeout: browserTimeoutMs }, () => {
  beforeAll(async () => {
    ann = await addUser(await sharedService(), "ann", allReportAuthorities);
  }, browserTimeoutMs);

  test("the form marks the invalid fields of a start and keeps their values", async ({ pages }) => {
    const page = await pages.openAs(ann, "#/new?type=PROXY&format=xlsx&f.port=none&f.health=DOWN&timezone=Mars");
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

  test("the form shows each error once, and its summary links to the fields", async ({ pages }) => {
    const page = await pages.openAs(ann, "#/new?type=PROXY&format=csv&f.createdFrom=yesterday&timezone=Mars");
    await page.getByRole("button", { name: "Start the csv report" }).click();
    const label = "document.activeElement.labels?.[0]?.textContent";
    await waitFor(async () => (await page.evaluate(label)) === "Created, from", {
      what: "the first wrong field to have the focus",
    });
    expect(await page.getByText(/RFC 3339 time of/).allTextContents()).toEqual([expect.stringMatching(/^Must be/)]);
    const box = page.getByRole("complementary", { name: "Start" });
    await box.getByRole("button", { name: "Time zone of the file" }).click();
    expect(await page.evaluate("document.activeElement.value")).toBe("Mars");
    expect(await findViolations(page)).toEqual([]);
  });

  test("the form offers the default columns of a pdf, and a removed one keeps its place", async ({ pages }) => {
    const page = await pages.openAs(ann, "#/new?type=PROXY_DOMAIN&format=pdf&preview=yes");
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

  test("the preview shows values as files do: titles, aligned numbers, times", async ({ pages }) => {
    const page = await pages.openAs(
      ann,
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
});
