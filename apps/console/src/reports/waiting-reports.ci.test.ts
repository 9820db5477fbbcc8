import { createReconciliationStore, createReportStore, createUserStore } from "@reports/db";
import { unrestrictedClaimTerms, waitFor } from "@reports/testing";
import type { APIResponse } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities, runWithServiceDatabase, type TestUser } from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, test } from "../test/browser-test.ts";
import { startDedicatedService, type DedicatedService } from "../test/console-service.ts";
import { countReportRequests } from "../test/count-report-requests.ts";
import { findAccessibilityViolations } from "../test/page-violations.ts";
import { waitForFocus } from "../test/wait-for-focus.ts";
import { visitPageStates, type VisitedPageState } from "../test/walk.ts";

const start = { reportType: "PROXY", format: "csv" } as const;

let service: DedicatedService;

describe.skipIf(!hasChromium)("reports in the console of a separate service", { timeout: 2 * browserTimeoutMs }, () => {
  beforeAll(async () => {
    service = await startDedicatedService({ START_LIMITS: "LIMITED_STARTS:1/min:0" });
  }, browserTimeoutMs);
  afterAll(async () => service[Symbol.asyncDispose]());

  describe.concurrent("while no worker runs", () => {
    test("the list refreshes all unfinished reports by one request for the list at a time", async ({ pages }) => {
      const many = await addUser(service, "many", allReportAuthorities);
      const count = 50;
      await Promise.all(Array.from({ length: count }, async () => many.gateway.reports.start(start)));
      const page = await pages.openAs(many);
      await waitFor(async () => (await page.locator("tbody tr").count()) === count, { what: "all rows" });
      const { ended, countMost } = countReportRequests(page);
      await waitFor(async () => ended.length >= 3, { what: "the list to be read three times more" });
      expect(new Set(ended)).toEqual(new Set(["/v1/reports"]));
      expect(countMost()).toBe(1);
    });

    test("axe finds no violation on pages of waiting, running and cancelled reports", async ({ pages }) => {
      const ann = await addUser(service, "ann", allReportAuthorities);
      const [waiting, running, cancelled] = await Promise.all(
        ["Waits", "Runs", "Was cancelled"].map(async (title) => ann.gateway.reports.start({ ...start, title })),
      );
      await ann.gateway.reports.cancel(cancelled!.id);
      await runWithServiceDatabase(service, async (database) => {
        const store = createReportStore(database);
        const lease = { leaseMs: 3_600_000 };
        await store.claim(running!.id, { workerId: "test", ...lease, ...unrestrictedClaimTerms });
        const progress = { phase: "rendering", rowsDone: 420, rowsTotal: 1_000, percent: 42 } as const;
        await store.heartbeat(running!.id, 1, { ...lease, progress });
      });
      const states: readonly VisitedPageState[] = [
        { title: "My reports", shown: (page) => page.getByRole("row", { name: /Runs.*42 %/ }) },
        {
          fragment: `#/reports/${running!.id}`,
          title: "Runs",
          shown: (page) => page.getByRole("progressbar", { name: "Progress" }),
        },
        {
          fragment: `#/reports/${waiting!.id}`,
          title: "Waits",
          shown: (page) => page.getByRole("button", { name: "Cancel: Waits" }),
        },
        {
          fragment: `#/reports/${cancelled!.id}`,
          title: "Was cancelled",
          shown: (page) => page.getByRole("button", { name: "Run again: Was cancelled" }),
        },
      ];
      const page = await pages.openAs(ann, "#/reports");
      expect((await visitPageStates(page, states)).violations).toEqual([]);
    });

    test("a start at the rate limit shows why it waits, and the user can cancel it", async ({ pages }) => {
      const ann = await addUser(service, "ann", [...allReportAuthorities, "LIMITED_STARTS"]);
      const page = await pages.openAs(ann, "#/new?type=PROXY&format=csv");
      // The limit refuses starts for only a minute. Later starts of the page get the API's first refusal again, so that none of them succeeds.
      let refusal: APIResponse | undefined;
      await page.route("**/v1/reports", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        const response = refusal ?? (await route.fetch());
        // A busy API can also answer 503. The page then sends the start again.
        if (response.status() === 429) refusal = response;
        return route.fulfill({ response });
      });
      await ann.gateway.reports.start({ ...start, title: "The only one" });
      const button = page.locator("button.primary");
      await button.click();
      const reason = page.getByText(/Limit of 1 report starts per minute reached\. Starting (in \d+ s|now)\./);
      await reason.waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole("button", { name: "Cancel" }).click();
      await reason.waitFor({ state: "detached" });
      await waitForFocus(page, "tagName", "H1");
      expect(await button.getAttribute("aria-disabled")).toBe("false");
      // Actions outside the form of a report show their retries in a notice in the corner.
      await page.getByRole("link", { name: "Reports", exact: true }).click();
      await page.getByRole("button", { name: "Cancel: The only one" }).click();
      await page.getByRole("button", { name: "Run again: The only one" }).click();
      await page.getByText(/Limit of 1 report starts per minute reached\. Trying again/).waitFor();
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await waitFor(async () => (await page.locator(".toast").count()) === 0, { what: "the notice to end" });
      expect(await countOf(ann)).toBe(1);
    });

    test("a user can cancel, run again and delete reports by mouse and by keyboard", async ({ pages }) => {
      const ann = await addUser(service, "ann", allReportAuthorities);
      for (const title of ["In a list", "On its page"]) await ann.gateway.reports.start({ ...start, title });
      const page = await pages.openAs(ann, "#/reports");
      const { id } = await ann.gateway.reports.start({ ...start, title: "Twice", searchParam: { health: ["DOWN"] } });
      const row = page.getByRole("row", { name: /Twice/ });
      await row.getByText("Queued").waitFor();
      // In the first second after a cancellation, a click runs nothing. The page itself clicks the new button as it is rendered. A click by Playwright
      // could come after the second in which the button is disabled.
      const clicked = page.evaluate(
        `new Promise((resolve) => new MutationObserver((_, observer) => {
          const again = document.querySelector("[aria-label='Run again: Twice']");
          if (again === null) return;
          observer.disconnect();
          const { left, right } = again.getBoundingClientRect();
          again.click();
          resolve({ left, right, isDisabled: again.disabled });
        }).observe(document.body, { subtree: true, childList: true }))`,
      );
      const cancel = row.getByRole("button", { name: "Cancel: Twice" });
      const { x, width } = (await cancel.boundingBox())!;
      await cancel.click();
      const again = (await clicked) as { left: number; right: number; isDisabled: boolean };
      expect(again.isDisabled).toBe(true);
      // The new button takes the place of the old one, so a user's second click would hit the new button.
      const middle = x + width / 2;
      expect([again.left < middle, middle < again.right]).toEqual([true, true]);
      await row.getByText("Cancelled").waitFor();
      expect((await ann.gateway.reports.get(id)).status).toBe("CANCELLED");
      await page.getByRole("heading", { level: 1, name: "My reports" }).waitFor();
      expect(await countOf(ann)).toBe(3);
      // Playwright waits until the button is enabled again, which is one second after the cancellation.
      await row.getByRole("button", { name: "Run again: Twice" }).dblclick();
      await page.getByRole("region", { name: "Request" }).getByText("Health: Down").waitFor();
      await page.getByRole("button", { name: "Cancel: Twice" }).waitFor();
      expect(await countOf(ann)).toBe(4);
      await page.getByRole("button", { name: "Delete: Twice" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("heading", { name: "My reports" }).waitFor();
      await waitFor(async () => (await row.count()) === 1, { what: "one row to be left" });

      // After each action by keyboard, the focus is on the report’s row, on the heading or on the main part.
      await page.getByRole("button", { name: "Cancel: In a list" }).focus();
      await page.keyboard.press("Enter");
      await waitForFocus(page, "textContent", "In a list");
      await page.getByRole("link", { name: "On its page" }).click();
      await page.getByRole("heading", { level: 1, name: "On its page" }).waitFor();
      await page.getByRole("button", { name: "Cancel: On its page" }).focus();
      await page.keyboard.press("Enter");
      await waitForFocus(page, "tagName", "H1");
      await page.getByRole("button", { name: "Delete: On its page" }).click();
      await page.getByRole("button", { name: "Delete", exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "My reports" }).waitFor();
      await waitForFocus(page, "tagName", "MAIN");
      await page.getByRole("button", { name: "Delete: In a list" }).click();
      await page.getByRole("button", { name: "Delete", exact: true }).focus();
      await page.keyboard.press("Enter");
      await waitForFocus(page, "tagName", "H1");
      expect(await page.getByRole("link", { name: "In a list" }).count()).toBe(0);
    });

    test("HTML in titles, filters and names is shown as text and is never executed", async ({ pages }) => {
      const ann = await addUser(service, "ann", [...allReportAuthorities, "REGISTRY_READ", "REGISTRY_WRITE"]);
      const image = "<img src=x onerror='window.harmed=1'>";
      const reversed = "\u202Emoc.elgoog\u202D";
      const { record } = await ann.gateway.proxies.create({
        name: "hostile",
        kind: "REVERSE",
        address: "192.0.2.99",
        port: 443,
        protocol: "HTTPS",
        ownerTeam: `${image}${reversed}`,
      });
      const { id } = await ann.gateway.reports.start({
        ...start,
        title: `${image} ${reversed}`,
        searchParam: { ownerTeam: [`${image}${reversed}`] },
      });
      const page = await pages.openAs(ann, "#/reports");
      await page.getByRole("link", { name: image }).waitFor();
      for (const fragment of [
        `#/reports/${id}`,
        `#/proxies?f.q=hostile`,
        `#/proxies/${record.id}`,
        `#/new?type=PROXY&f.name=hostile`,
        `#/new?type=PROXY&f.q=${encodeURIComponent(image.repeat(300))}&title=${encodeURIComponent(image)}`,
        `#/${encodeURIComponent(image)}`,
      ]) {
        await page.goto(`${service.url}/console${fragment}`);
        if (fragment.includes("preview")) await page.getByRole("cell", { name: image }).waitFor();
        else
          await page
            .getByRole("heading", { level: 1 })
            .or(page.getByRole("heading", { name: "Page not found" }))
            .first()
            .waitFor();
        expect(await page.evaluate("[window.harmed, document.images.length]")).toEqual([undefined, 0]);
      }
    });
  });

  describe("once a worker runs", () => {
    let ann: TestUser;
    let failing: string;
    let expiring: string;

    beforeAll(async () => {
      const lost = await addUser(service, "lost", allReportAuthorities);
      ann = await addUser(service, "ann", allReportAuthorities);
      failing = (await lost.gateway.reports.start({ ...start, title: "Has failed" })).id;
      expiring = (await ann.gateway.reports.start({ ...start, title: "Is expired" })).id;
      await runWithServiceDatabase(service, async (database) =>
        createUserStore(database).setAuthorities(lost.name, []),
      );
    });

    test("the page of a report follows it through a restart, and explains failures", async ({ pages }) => {
      const { id } = await ann.gateway.reports.start({ ...start, title: "Through a restart" });
      const page = await pages.openAs(ann, `#/reports/${id}`);
      await page.getByText("Queued").first().waitFor();
      await page.getByText("Requested", { exact: true }).first().waitFor();
      await service.stand.apis[0]!.restart();
      await service.stand.addWorker();
      await page.getByRole("button", { name: /^Download csv/ }).waitFor();
      const timeline = page.getByRole("region", { name: "What happened" });
      await timeline.getByText("Succeeded").waitFor();
      expect(await timeline.getByRole("listitem").locator(".state").allTextContents()).toEqual([
        "Requested",
        "Running",
        "Succeeded",
      ]);

      expect((await ann.gateway.reports.wait(failing)).status).toBe("FAILED");
      expect((await ann.gateway.reports.wait(expiring)).status).toBe("SUCCEEDED");
      await runWithServiceDatabase(service, async (database) => {
        const found = await createReportStore(database).find(expiring);
        await createReconciliationStore(database).expireNamed([found!.file!.storageKey]);
      });
      await page.evaluate(`location.hash = '#/reports/${failing}'`);
      await page.getByRole("heading", { name: "Authority revoked" }).waitFor();
      await page.getByText("Once it is granted again, run the report again.").waitFor();
      expect(await page.getByRole("button", { name: /^Download/ }).count()).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.goto(`${service.url}/console#/reports/${expiring}`);
      await page.getByRole("heading", { name: "The file has expired" }).waitFor();
      await page.getByText("Run the report again").waitFor();
      expect(await page.getByRole("button", { name: /^Download/ }).count()).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });
});

async function countOf({ gateway }: TestUser): Promise<number> {
  return (await Array.fromAsync(gateway.reports.list({ requestedBy: "me" }))).length;
}
