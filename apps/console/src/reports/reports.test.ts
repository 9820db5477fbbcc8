import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createReconciliationStore, createReportStore } from "@reports/db";
import { isFullTestRun, waitFor } from "@reports/testing";
import type { Download } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import {
  addUser,
  addWaitingReport,
  allReportAuthorities,
  runWithServiceDatabase,
  type ServiceAddress,
} from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, submitSignInForm, test } from "../test/browser-test.ts";
import { getSharedService } from "../test/console-service.ts";
import { countReportRequests } from "../test/count-report-requests.ts";
import { waitForFocus } from "../test/wait-for-focus.ts";
import { findAccessibilityViolations } from "../test/page-violations.ts";

let service: ServiceAddress;

describe.skipIf(!hasChromium).concurrent("reports in the console", { timeout: browserTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedService();
  }, browserTimeoutMs);

  test("a user can start a report, follow it, download its file and share it by a link", async ({ pages }) => {
    const ann = await addUser(service, "ann", allReportAuthorities);
    const page = await pages.openAs(ann, "#/new?type=PROXY_DOMAIN");
    await page.getByRole("radio", { name: /^csv/ }).check();
    await page.getByRole("group", { name: "Severity" }).getByText("Expired").click();
    await page.getByRole("button", { name: "Start the csv report" }).click();
    await page.getByRole("heading", { level: 1, name: "Domains and certificates" }).waitFor();
    await page.getByRole("button", { name: /^Download csv/ }).waitFor();
    const timeline = page.getByRole("region", { name: "What happened" });
    await timeline.getByText("Succeeded").waitFor();
    expect(await timeline.getByRole("listitem").locator(".state").allTextContents()).toEqual([
      "Requested",
      "Running",
      "Succeeded",
    ]);
    expect(await page.getByRole("region", { name: "Request" }).textContent()).toContain("Severity: Expired");

    const id = page.url().split("/").at(-1)!;
    await page.getByRole("button", { name: "Share: Domains and certificates" }).click();
    const dialog = page.getByRole("dialog", { name: "Share this file" });
    await dialog.getByText(`${service.url}/console#/reports/${id}`).waitFor();
    await dialog.getByRole("button", { name: "Make a download link" }).click();
    await dialog.getByText(/Valid until (?:\w{3}.* )?\d\d:\d\d/).waitFor();
    const url = (await dialog.getByText(/\/v1\/links\//).textContent())!;
    const { file } = await ann.gateway.reports.get(id);
    expect((await fetch(url)).headers.get("content-length")).toBe(String(file!.size));
    await dialog.getByText("(the link above)").waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Revoke: the link" }).click();
    await dialog.getByText("Active links to this file").waitFor({ state: "detached" });
    expect((await fetch(url)).status).toBe(404);
    await waitForFocus(page, "textContent", "Close");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(url);

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /^Download csv/ }).click(),
    ]);
    expect(await page.locator(".hash code").textContent()).toBe(await sha256Of(download));
    expect(download.suggestedFilename()).toMatch(/^Domains and certificates .*\.csv$/);
    // The response has a `javascript:` URL, which the console must not open, because it would run in the page.
    await page.route("**/links", async (route) => {
      const response = await route.fetch();
      const link = (await response.json()) as object;
      await route.fulfill({ response, json: { ...link, url: "javascript:document.title='run'" } });
    });
    await page.getByRole("button", { name: /^Download csv/ }).click();
    await page.getByText("The link is not a web address.").waitFor();
    expect(await page.title()).not.toBe("run");
    await page.unroute("**/links");
    await page.getByRole("link", { name: "Reports" }).click();
    await page.getByRole("row", { name: /Domains and certificates.*Succeeded.*csv/ }).waitFor();
  });

  test("a requester can make an additional format, and another user can only download it", async ({ pages }) => {
    const ann = await addUser(service, "ann", allReportAuthorities);
    const start = { reportType: "PROXY", format: "csv", keepRows: true, title: "Kept" };
    const started = await ann.gateway.reports.start(start);
    await ann.gateway.reports.wait(started.id);
    const page = await pages.openAs(ann, `#/reports/${started.id}`);
    const formats = page.getByRole("region", { name: "Additional formats" });
    await formats.getByLabel("Time zone").fill("Mars");
    await formats.getByLabel("Format").selectOption("ndjson");
    await formats.getByRole("button", { name: "Make this file" }).click();
    await formats.getByRole("alert").waitFor();
    // The message below the field "Time zone" does not move the field "Format" next to it.
    const fields = await Promise.all(
      ["Format", "Time zone"].map(async (label) => formats.getByLabel(label).boundingBox()),
    );
    expect(fields[0]!.y).toBe(fields[1]!.y);
    expect(await formats.getByLabel("Time zone").getAttribute("aria-invalid")).toBe("true");
    await formats.getByLabel("Time zone").fill("Europe/Berlin");
    await formats.getByRole("button", { name: "Make this file" }).click();
    const download = formats.getByRole("button", { name: /^Download: Kept .*ndjson/ });
    await download.waitFor();
    const [downloaded] = await Promise.all([page.waitForEvent("download"), download.click()]);
    expect(await formats.locator(".hash code").textContent()).toBe(await sha256Of(downloaded));
    expect(await findAccessibilityViolations(page)).toEqual([]);

    const ben = await addUser(service, "ben", allReportAuthorities);
    const signInAs = async (name: string): Promise<void> => {
      await page.getByRole("button", { name: "Sign out" }).click();
      await submitSignInForm(page, name);
    };
    await signInAs(ben.name);
    await download.waitFor();
    expect(await page.getByRole("button", { name: /^Remove: / }).count()).toBe(0);
    await page.evaluate("location.hash = '#/reports?of=all&q=Kept'");
    await page.getByRole("button", { name: "Download: Kept" }).waitFor();
    expect(await page.getByRole("button", { name: "Delete: Kept" }).count()).toBe(0);
    await signInAs(ann.name);
    await page.getByRole("button", { name: "Delete: Kept" }).waitFor();
    await page.getByRole("link", { name: "Kept" }).click();

    await formats.getByRole("button", { name: /^Remove: Kept/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await download.waitFor({ state: "detached" });
    expect(await ann.gateway.reports.files(started.id).list()).toHaveLength(1);
  });

  // In every run, find-report.test.ts tests the search, and ten-jobs.test.ts uses it.
  test(
    "the list of reports shows their filters and can search by ID, title and time",
    { skip: !isFullTestRun },
    async ({ pages }) => {
      const ann = await addUser(service, "ann", allReportAuthorities);
      const { gateway } = ann;
      const { id } = await gateway.reports.start({ reportType: "PROXY", format: "csv", title: "Needle of May" });
      const other = await gateway.reports.start({
        reportType: "PROXY_DOMAIN",
        format: "csv",
        searchParam: { severity: ["EXPIRED"], certNotAfterTo: "now+P30D" },
      });
      await Promise.all([id, other.id].map(async (one) => gateway.reports.wait(one)));
      const page = await pages.openAs(ann, "#/reports");
      await page.getByText("2 reports").waitFor();
      await page
        .getByRole("row", { name: /Severity: Expired · Certificate ends: expired or within 30 days/ })
        .waitFor();
      await page.locator("main").press("/");
      await page.setViewportSize({ width: 360, height: 900 });
      await page.keyboard.type("ne");
      const hint = (await page.getByText("Type 3 characters or more.").boundingBox())!;
      expect(hint.y + hint.height).toBeLessThanOrEqual(
        (await page.locator("label", { hasText: /^State$/ }).boundingBox())!.y,
      );
      await page.setViewportSize({ width: 1400, height: 900 });
      await page.keyboard.type("edle");
      await page.getByText("1 report", { exact: true }).waitFor();
      const box = page.getByRole("searchbox", { name: "Find" });
      await box.fill(id.slice(0, 8));
      await page.getByText(/^No single report of the newest 200/).waitFor();
      for (const text of [id.slice(-8), id]) {
        await box.fill(text);
        await page.getByRole("heading", { level: 1, name: "Needle of May" }).waitFor();
        await page.goBack();
        await box.waitFor();
      }
      await box.fill("");
      const times = page.getByRole("radiogroup", { name: "Requested" });
      await times.getByRole("radio", { name: "Between two dates" }).check();
      await times.getByLabel("to and including").fill("yesterday");
      await page.getByRole("heading", { name: "No report matches" }).waitFor();
      await times.getByRole("radio", { name: "Today" }).check();
      await page.getByText("2 reports").waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    },
  );

  // In every run, ten-jobs.test.ts changes the options of a report and runs it again.
  test(
    "shortened texts are a note, and running the report again keeps its options",
    { skip: !isFullTestRun },
    async ({ pages }) => {
      const ann = await addUser(service, "ann", allReportAuthorities);
      const { id } = await ann.gateway.reports.start({
        reportType: "PROXY_DOMAIN",
        format: "pdf",
        title: "Shortened",
        accessible: true,
        paper: "LETTER",
        language: "de",
      });
      const report = await ann.gateway.reports.wait(id);
      expect(report.warnings.map(({ code }) => code)).toEqual(["TEXTS_SHORTENED"]);
      const page = await pages.openAs(ann, "#/reports");
      const row = page.getByRole("row", { name: /Shortened/ });
      expect(await row.locator(".state").textContent()).toBe("Succeeded");
      await row.getByRole("link").click();
      await page
        .getByRole("region", { name: /^Shortened/ })
        .getByText("Texts shortened")
        .waitFor();
      expect(await page.locator(".tone-warn, .notice.warn").count()).toBe(0);
      await page.getByText(`by ${ann.name}`).first().waitFor();
      await page.getByRole("region", { name: "Request" }).getByText("German").waitFor();
      await page.getByRole("link", { name: "Change and run" }).click();
      await page.getByRole("button", { name: "Start the pdf report" }).click();
      await page.getByRole("button", { name: /^Download pdf/ }).waitFor();
      const again = await ann.gateway.reports.get(page.url().split("/").at(-1)!);
      expect(again.id).not.toBe(id);
      expect(again.options).toMatchObject({ accessible: true, paper: "LETTER" });
    },
  );

  // waiting-reports.ci.test.ts tests more of this on a service without a worker.
  test("waiting reports refresh by one request at a time; a refused start says why it waits", async ({ pages }) => {
    const ann = await addUser(service, "ann", allReportAuthorities);
    const count = 3;
    for (let report = 1; report < count; report++) await addWaitingReport(ann, `Waits ${report}`);
    const id = await addWaitingReport(ann, "Twice");
    const page = await pages.openAs(ann);
    await waitFor(async () => (await page.locator("tbody tr").count()) === count, { what: "all rows" });
    const { ended, countMost } = countReportRequests(page);
    await waitFor(() => ended.length >= 2, { what: "the list to be read twice more" });
    expect(new Set(ended)).toEqual(new Set(["/v1/reports"]));
    expect(countMost()).toBe(1);
    const row = page.getByRole("row", { name: /Twice/ });
    await row.getByRole("button", { name: "Cancel: Twice" }).click();
    await row.getByText("Cancelled").waitFor();
    expect((await ann.gateway.reports.get(id)).status).toBe("CANCELLED");

    const detail = "Limit of 1 report starts per minute reached.";
    await page.route("**/v1/reports", async (route) =>
      route.request().method() === "POST"
        ? route.fulfill({
            status: 429,
            headers: { "Retry-After": "60", "Content-Type": "application/problem+json" },
            json: { status: 429, code: "too-many-starts", title: "Too many starts", detail },
          })
        : route.continue(),
    );
    // In the first second after a cancellation, the new button does nothing. Playwright waits until it is enabled.
    await row.getByRole("button", { name: "Run again: Twice" }).click();
    await page.getByText(`${detail} Trying again`, { exact: false }).waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await waitFor(async () => (await page.locator(".toast").count()) === 0, { what: "the notice to end" });
    await page.getByRole("link", { name: "Twice" }).click();
    await page.getByRole("button", { name: "Delete: Twice" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { level: 1, name: "My reports" }).waitFor();
    await waitFor(async () => (await page.locator("tbody tr").count()) === count - 1, { what: "one row less" });

    const { id: expired } = await ann.gateway.reports.start({ reportType: "PROXY", format: "csv" });
    await ann.gateway.reports.wait(expired);
    await runWithServiceDatabase(service, async (database) => {
      const found = await createReportStore(database).find(expired);
      await createReconciliationStore(database).expireNamed([found!.file!.storageKey]);
    });
    await page.evaluate(`location.hash = '#/reports/${expired}'`);
    await page.getByRole("heading", { name: "The file has expired" }).waitFor();
    expect(await page.getByRole("button", { name: /^Download/ }).count()).toBe(0);
  });

  test("HTML in titles, filters and names is shown as text and is never executed", async ({ pages }) => {
    const ann = await addUser(service, "ann", [...allReportAuthorities, "REGISTRY_READ"]);
    const image = "<img src=x onerror='window.harmed=1'>";
    const ownerTeam = `${image}\u202Emoc.elgoog\u202D`;
    const searchParam = { ownerTeam: [ownerTeam] };
    const { id } = await ann.gateway.reports.start({
      reportType: "PROXY",
      format: "csv",
      title: ownerTeam,
      searchParam,
    });
    const [proxy] = await Array.fromAsync(ann.gateway.proxies.list());
    const page = await pages.openAs(ann, "#/reports");
    await page.getByRole("link", { name: image }).waitFor();
    // Other tests count the proxies of the service, so this one adds none and changes the response.
    await page.route(`**/v1/proxies/${proxy!.id}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), name: image, ownerTeam } });
    });
    for (const [fragment, heading] of [
      [`#/reports/${id}`, image],
      [`#/proxies/${proxy!.id}`, image],
      [
        `#/new?type=PROXY&f.q=${encodeURIComponent(image.repeat(300))}&title=${encodeURIComponent(image)}`,
        "Proxy inventory",
      ],
      [`#/${encodeURIComponent(image)}`, "Page not found"],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      expect(await page.evaluate("[window.harmed, document.images.length]")).toEqual([undefined, 0]);
    }
  });
});

async function sha256Of(download: Download): Promise<string> {
  return createHash("sha256")
    .update(readFileSync(await download.path()))
    .digest("hex");
}
