import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createGateway, verifyWebhook, type Gateway } from "@reports/client";
import { hashPassword } from "@reports/auth";
import { createFileIndex, createReportStore } from "@reports/db";
import { servesEverything, waitFor } from "@reports/testing";
import type { Locator, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, passwordOf, signIn, startConsole, type ConsoleUnderTest } from "./console-under-test.ts";
import { faultsOf } from "./faults.ts";
import { startIssuer, type IssuerUnderTest } from "./issuer-under-test.ts";
import { startReceiver } from "./receiver-under-test.ts";
import { walk, type State } from "./walk.ts";

const root = join(import.meta.dirname, "../../..");
/** A browser, an API and a worker beside everything else. In milliseconds. */
const onBusyMachine = 300_000;
const everyReport = ["REPORT_PROXY", "REPORT_PROXY_DOMAIN"];

let console_: ConsoleUnderTest;
let gateway: Gateway;

describe.skipIf(!hasChromium)("the console in a browser", { timeout: onBusyMachine }, () => {
  beforeAll(async () => {
    console_ = await startConsole(root, {
      ann: [...everyReport, "REGISTRY_READ", "REGISTRY_WRITE"],
      ben: [...everyReport],
      many: [...everyReport],
      proxies: ["REPORT_PROXY"],
      guest: [],
      operator: ["REGISTRY_READ", "REPORTS_ADMIN"],
      temp: [...everyReport],
      lost: [...everyReport],
      hooks: [...everyReport, "WEBHOOKS_WRITE"],
      walker: [...everyReport, "REGISTRY_READ", "REPORTS_ADMIN", "WEBHOOKS_WRITE"],
    });
    gateway = gatewayOf("ann");
  }, onBusyMachine);
  afterAll(async () => console_[Symbol.asyncDispose]());
  afterEach(async ({ task }) => {
    const shown = await console_.closePages();
    if (task.result?.state === "fail") process.stdout.write(`${task.name} ended with:\n${shown}\n`);
    const complaints = console_.complaints.splice(0);
    if (complaints.length > 0) throw new Error(`The browser complains:\n${complaints.join("\n")}`);
  });

  test("a wrong password is said at its field; the right one opens the reports, and nothing of it is kept", async () => {
    const page = await console_.open();
    await page.goto(`${console_.api.url}/console`);
    await signIn(page, "ben", "wrong");
    await page.getByText("The name or the password is wrong.").waitFor();
    expect(await page.getByLabel("Password").getAttribute("aria-invalid")).toBe("true");
    expect(await faultsOf(page)).toEqual([]);
    await signIn(page, "ben");
    await page.getByRole("heading", { name: "My reports" }).waitFor();
    await page.getByRole("heading", { name: "No reports yet" }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([0, 0, ""]);
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.context().close();
  });

  test("a report is started, followed to its end and downloaded; the bytes are those whose SHA-256 the page says", async () => {
    const page = await console_.openAs("ann", "#/new?type=PROXY_DOMAIN");
    await page.getByRole("radio", { name: /^csv/ }).check();
    await page.getByText("Expired", { exact: true }).click();
    await page.getByRole("button", { name: "Start the csv report" }).click();
    await page.getByRole("heading", { level: 1, name: "Domains and certificates" }).waitFor();
    await page.getByRole("button", { name: /^Download csv/ }).waitFor();
    const timeline = page.getByRole("region", { name: "What happened" });
    // The record may be read before the events are.
    await timeline.getByText("Succeeded").waitFor();
    expect(await timeline.getByRole("listitem").locator(".state").allTextContents()).toEqual([
      "Requested",
      "Running",
      "Succeeded",
    ]);
    expect(await page.getByRole("region", { name: "What was asked for" }).textContent()).toContain("Severity: Expired");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /^Download csv/ }).click(),
    ]);
    const sha256 = createHash("sha256")
      .update(readFileSync(await download.path()))
      .digest("hex");
    expect(await page.locator(".hash code").textContent()).toBe(sha256);
    expect(download.suggestedFilename()).toMatch(/^Domains and certificates .*\.csv$/);
    // A link that is not a web address is not followed.
    await page.route("**/links", async (route) => {
      const response = await route.fetch();
      const link = (await response.json()) as object;
      await route.fulfill({ response, json: { ...link, url: "javascript:document.title='run'" } });
    });
    await page.getByRole("button", { name: /^Download csv/ }).click();
    await page.getByText("The link is not a web address.").waitFor();
    expect(await page.title()).not.toBe("run");
    await page.unroute("**/links");
    // The page is still the same, and its list has the report.
    await page.getByRole("link", { name: "Reports" }).click();
    await page.getByRole("row", { name: /Domains and certificates.*Succeeded.*csv/ }).waitFor();
    await page.context().close();
  });

  test("whatever breaks the page's policy is noticed by these tests", async () => {
    const page = await console_.open();
    await page.goto(`${console_.api.url}/console`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.evaluate(
      "document.head.append(Object.assign(document.createElement('style'), { textContent: 'b {}' }))",
    );
    await waitFor(async () => console_.complaints.length > 0, { what: "a complaint" });
    expect(console_.complaints.splice(0)).toEqual([expect.stringContaining("Content Security Policy")]);
    await page.context().close();
  });

  test("of kept rows another file is made, downloaded and removed; who may not remove it is not offered to", async () => {
    const started = await gateway.reports.start({ reportType: "PROXY", format: "csv", keepRows: true, title: "Kept" });
    await gateway.reports.wait(started.id);
    const page = await console_.openAs("ann", `#/reports/${started.id}`);
    const further = page.getByRole("region", { name: "Further files of the same rows" });
    await further.getByLabel("Time zone").fill("Mars");
    await further.getByLabel("Format").selectOption("ndjson");
    await further.getByRole("button", { name: "Make this file" }).click();
    await further.getByRole("alert").waitFor();
    expect(await further.getByLabel("Time zone").getAttribute("aria-invalid")).toBe("true");
    await further.getByLabel("Time zone").fill("Europe/Berlin");
    await further.getByRole("button", { name: "Make this file" }).click();
    const download = further.getByRole("button", { name: /^Download: Kept .*ndjson/ });
    await download.waitFor();
    const [downloaded] = await Promise.all([page.waitForEvent("download"), download.click()]);
    const sha256 = createHash("sha256")
      .update(readFileSync(await downloaded.path()))
      .digest("hex");
    expect(await further.locator(".hash code").textContent()).toBe(sha256);
    expect(await faultsOf(page)).toEqual([]);

    const other = await console_.openAs("ben", `#/reports/${started.id}`);
    await other.getByRole("button", { name: /^Download: Kept .*ndjson/ }).waitFor();
    expect(await other.getByRole("button", { name: /^Remove: / }).count()).toBe(0);
    await other.context().close();

    await further.getByRole("button", { name: /^Remove: Kept/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await download.waitFor({ state: "detached" });
    expect(await gateway.reports.files(started.id).list()).toHaveLength(1);
    await page.context().close();
  });

  test("who holds nothing is shown nothing that would fail", async () => {
    const page = await console_.openAs("guest");
    await page.getByRole("heading", { name: "You have no authority for any report type" }).waitFor();
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual(["Reports"]);
    expect(await page.getByRole("link", { name: "New report" }).count()).toBe(0);
    await page.goto(`${console_.api.url}/console#/new`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.context().close();
  });

  test("who holds one authority starts that type alone; reports of the other are not there", async () => {
    const { id } = await gateway.reports.start({ reportType: "PROXY_DOMAIN", format: "csv" });
    const page = await console_.openAs("proxies", "#/new");
    await page.getByRole("heading", { name: "Proxy inventory" }).waitFor();
    expect(await page.getByRole("radio", { name: "Domains and certificates" }).count()).toBe(0);
    await page.goto(`${console_.api.url}/console#/reports/${id}`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await page.context().close();
  });

  test("what another started can be seen and not changed", async () => {
    const { id } = await gateway.reports.start({ reportType: "PROXY", format: "csv", title: "Ann's" });
    await gateway.reports.wait(id);
    const page = await console_.openAs("ben", "#/reports?of=all");
    await page.getByRole("button", { name: "Download: Ann's" }).waitFor();
    expect(await page.getByRole("button", { name: "Delete: Ann's" }).count()).toBe(0);
    await page.context().close();
  });

  test("what a start gets wrong is said at its fields, and what was typed stays", async () => {
    const page = await console_.openAs("ann", "#/new?type=PROXY&format=xlsx&f.port=none&f.health=DOWN&timezone=Mars");
    await page.getByRole("button", { name: "Start the xlsx report" }).click();
    const port = page.getByRole("textbox", { name: "Port" });
    await waitFor(async () => (await port.getAttribute("aria-invalid")) === "true", { what: "the port to be marked" });
    const said = (await port.getAttribute("aria-describedby"))!.split(" ").at(-1)!;
    expect(await page.locator(`[id="${said}"]`).textContent()).toContain("Must be an integer from 1 to 65535");
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
    expect(await page.getByRole("region", { name: "What was asked for" }).textContent()).toContain("Europe/Berlin");
    await page.context().close();
  });

  test("credentials that end mid-page are asked for again over it, and the page goes on", async () => {
    const page = await console_.openAs("temp", "#/new?type=PROXY&f.region=somewhere&title=Half+done");
    const passwordHash = await hashPassword("another long password");
    await console_.users(async (users) => users.setDisabled("temp", true));
    // The page may have asked how large the report will be meanwhile; then the dialog stands over the button already.
    await page.getByRole("button", { name: "Start the pdf report" }).dispatchEvent("click");
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await console_.users(async (users) => users.setDisabled("temp", false));
    await console_.users(async (users) => users.setPasswordHash("temp", passwordHash));
    await dialog.getByLabel("Password").fill("another long password");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("Title").inputValue()).toBe("Half done");
    await page.getByRole("button", { name: "Start the pdf report" }).click();
    await page.getByRole("heading", { level: 1, name: "Half done" }).waitFor();
    await page.context().close();
  });

  describe("while no worker runs, so that reports wait", () => {
    let failing: string;
    let expiring: string;

    beforeAll(async () => {
      await console_.api.stopWorker();
      const [lost, short] = await Promise.all([
        gatewayOf("lost").reports.start({ reportType: "PROXY", format: "csv", title: "Has failed" }),
        gateway.reports.start({ reportType: "PROXY", format: "csv", title: "Is expired" }),
      ]);
      failing = lost.id;
      expiring = short.id;
      await console_.users(async (users) => users.setAuthorities("lost", []));
    });

    test("a report that waits is cancelled, run again with what it asked for, and deleted after a question", async () => {
      const page = await console_.openAs("ben");
      const own = gatewayOf("ben");
      const { id } = await own.reports.start({ reportType: "PROXY", format: "csv", searchParam: { health: ["DOWN"] } });
      const row = page.getByRole("row", { name: /Proxy inventory/ });
      await row.getByText("Queued").waitFor();
      await row.getByRole("button", { name: "Cancel: Proxy inventory" }).click();
      await row.getByText("Cancelled").waitFor();
      expect((await own.reports.get(id)).status).toBe("CANCELLED");
      // Clicked twice in a row it is started once.
      await row.getByRole("button", { name: "Run again: Proxy inventory" }).dblclick();
      await page.getByText("Health: Down").waitFor();
      expect((await Array.fromAsync(own.reports.list({ requestedBy: "me" }))).length).toBe(2);
      await page.getByRole("button", { name: "Delete: Proxy inventory" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("heading", { name: "My reports" }).waitFor();
      await waitFor(async () => (await page.getByRole("row", { name: /Proxy inventory/ }).count()) === 1, {
        what: "one row to be left",
      });
      await page.context().close();
    });

    test("fifty open reports are one list and one request at a time", async () => {
      const own = gatewayOf("many");
      const started = await Promise.all(
        Array.from({ length: 50 }, async () => own.reports.start({ reportType: "PROXY", format: "csv" })),
      );
      const page = await console_.openAs("many");
      await waitFor(async () => (await page.locator("tbody tr").count()) === 50, { what: "50 rows" });
      // What is asked about reports: the shell reads the state of the service by itself, whenever its time has come.
      const isOfReports = (request: Request): boolean => /^\/v1\/reports(\/|$)/.test(new URL(request.url()).pathname);
      let open = 0;
      let most = 0;
      const ended: string[] = [];
      page.on("request", (request) => {
        if (isOfReports(request)) most = Math.max(most, ++open);
      });
      const onEnd = (request: Request): void => {
        if (!isOfReports(request)) return;
        // One that began before anybody counted ends here, too.
        open = Math.max(0, open - 1);
        ended.push(new URL(request.url()).pathname);
      };
      page.on("requestfinished", onEnd);
      page.on("requestfailed", onEnd);
      await waitFor(async () => ended.length >= 3, { what: "the list to be read three times more" });
      expect(new Set(ended)).toEqual(new Set(["/v1/reports"]));
      expect(most).toBe(1);
      await page.context().close();
      // Nobody has to wait for them later.
      await Promise.all(started.map(async ({ id }) => own.reports.cancel(id)));
    });

    test("what waits, what runs and what was cancelled looks as it should", async () => {
      const start = { reportType: "PROXY", format: "csv" };
      const [waiting, running, cancelled] = await Promise.all(
        ["Waits", "Runs", "Was cancelled"].map(async (title) => gateway.reports.start({ ...start, title })),
      );
      await gateway.reports.cancel(cancelled!.id);
      await console_.database(async (database) => {
        const store = createReportStore(database);
        const lease = { leaseMs: 3_600_000 };
        await store.claim(running!.id, { workerId: "test", ...lease, ...servesEverything });
        const progress = { phase: "rendering", rowsDone: 420, rowsTotal: 1_000, percent: 42 } as const;
        await store.heartbeat(running!.id, 1, { ...lease, progress });
      });
      const states: readonly State[] = [
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
      const page = await console_.openAs("ann", "#/reports");
      expect((await walk(page, states)).faults).toEqual([]);
      await gateway.reports.cancel(running!.id);
      await page.context().close();
    });

    test("an API that is restarted under the open stream is gone on with; the report is followed to its end", async () => {
      const { id } = await gateway.reports.start({ reportType: "PROXY", format: "csv", title: "Through a restart" });
      const page = await console_.openAs("ann", `#/reports/${id}`);
      await page.getByText("Queued").first().waitFor();
      await page.getByText("Requested", { exact: true }).first().waitFor();
      await console_.api.restart();
      await console_.api.startWorker();
      await page.getByRole("button", { name: /^Download csv/ }).waitFor();
      const timeline = page.getByRole("region", { name: "What happened" });
      await timeline.getByText("Succeeded").waitFor();
      expect(await timeline.getByRole("listitem").locator(".state").allTextContents()).toEqual([
        "Requested",
        "Running",
        "Succeeded",
      ]);
      await page.context().close();
    });

    test("a report that failed says what to do, one whose file is gone says so; neither offers a file", async () => {
      expect((await gateway.reports.wait(failing)).status).toBe("FAILED");
      expect((await gateway.reports.wait(expiring)).status).toBe("SUCCEEDED");
      await console_.database(async (database) => {
        const found = await createReportStore(database).find(expiring);
        await createFileIndex(database).expireNamed([found!.file!.storageKey]);
      });
      const page = await console_.openAs("ann", `#/reports/${failing}`);
      await page.getByRole("heading", { name: "Authority revoked" }).waitFor();
      await page.getByText("Once it is granted again, run the report again.").waitFor();
      expect(await page.getByRole("button", { name: /^Download/ }).count()).toBe(0);
      expect(await faultsOf(page)).toEqual([]);
      await page.goto(`${console_.api.url}/console#/reports/${expiring}`);
      await page.getByRole("heading", { name: "The file has expired" }).waitFor();
      await page.getByText("Run the report again").waitFor();
      expect(await page.getByRole("button", { name: /^Download/ }).count()).toBe(0);
      expect(await faultsOf(page)).toEqual([]);
      await page.context().close();
    });
  });

  test("hostile names are text: in lists, on the page of a report, in the preview and in the fragment", async () => {
    const image = "<img src=x onerror='window.harmed=1'>";
    const turned = "\u202Emoc.elgoog\u202D";
    const { record } = await gateway.proxies.create({
      name: "hostile",
      kind: "REVERSE",
      address: "192.0.2.99",
      port: 443,
      protocol: "HTTPS",
      ownerTeam: `${image}${turned}`,
    });
    const { id } = await gateway.reports.start({
      reportType: "PROXY",
      format: "csv",
      title: `${image} ${turned}`,
      searchParam: { ownerTeam: [`${image}${turned}`] },
    });
    const page = await console_.openAs("ann", "#/reports");
    await page.getByRole("link", { name: image }).waitFor();
    for (const fragment of [
      `#/reports/${id}`,
      `#/proxies?f.q=hostile`,
      `#/proxies/${record.id}`,
      `#/new?type=PROXY&preview=yes&f.name=hostile`,
      `#/new?type=PROXY&f.q=${encodeURIComponent(image.repeat(300))}&title=${encodeURIComponent(image)}`,
      `#/${encodeURIComponent(image)}`,
    ]) {
      await page.goto(`${console_.api.url}/console${fragment}`);
      if (fragment.includes("preview")) await page.getByRole("cell", { name: image }).waitFor();
      else
        await page
          .getByRole("heading", { level: 1 })
          .or(page.getByRole("heading", { name: "Page not found" }))
          .first()
          .waitFor();
      expect(await page.evaluate("[window.harmed, document.images.length]")).toEqual([undefined, 0]);
    }
    await gateway.proxies.remove(record.id);
    await page.context().close();
  });

  test("the register is filtered, sorted and led through; a report of a view has the view's filters", async () => {
    const page = await console_.openAs("ann", "#/proxies");
    await page.getByText("40 proxies").waitFor();
    await page.getByText("More filters").click();
    await page.getByRole("group", { name: "Health" }).getByText("Up", { exact: true }).click();
    const up = page.locator("tbody tr");
    await waitFor(async () => (await up.count()) < 40 && (await up.getByText("Up", { exact: true }).count()) > 0, {
      what: "the list to hold what is up alone",
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

    await page.goto(`${console_.api.url}/console#/proxies`);
    const name = (await page.locator("[data-row]").first().textContent())!;
    await page.locator("[data-row]").first().click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.locator("[data-row]").first().click();
    await page.getByText("Lowest TLS").or(page.getByText("No TLS")).first().waitFor();
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.context().close();
  });

  test("a filter of the register that means nothing is said at its field", async () => {
    const page = await console_.openAs("ann", "#/proxies?f.port=none");
    const port = page.getByRole("textbox", { name: "Port" });
    await waitFor(async () => (await port.getAttribute("aria-invalid")) === "true", { what: "the port to be marked" });
    expect(await page.getByRole("alert").first().textContent()).toContain("1 to 65535");
    await page.context().close();
  });

  test("the queue is for administrators of reports: lanes, and the workers with what they serve", async () => {
    const page = await console_.openAs("operator", "#/queue");
    await page.getByRole("row", { name: /Short reports quick/ }).waitFor();
    await page.getByRole("row", { name: /Proxy inventory, Domains and certificates/ }).waitFor();
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
      "Reports",
      "Schedules",
      "Register",
      "Queue",
    ]);
    // Whoever may not start a report is not led to one.
    await page.goto(`${console_.api.url}/console#/certificates`);
    await page.getByRole("heading", { name: "Certificates" }).waitFor();
    expect(await page.getByRole("link", { name: "Report of this view" }).count()).toBe(0);
    await page.context().close();
  });

  test("a report is scheduled as it was put together, run, paused, resumed and deleted; a name is text", async () => {
    const name = "<img src=x onerror='window.harmed=1'> \u202Emoc\u202D";
    const page = await console_.openAs("ann", "#/new?type=PROXY&format=csv&f.health=DOWN", {
      timezoneId: "America/New_York",
    });
    await page.getByRole("link", { name: "Schedule this" }).click();
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("How often").selectOption({ label: "Every month" });
    await page.getByLabel("Day of the month").selectOption({ label: "Last" });
    const zone = page.getByLabel("Time zone");
    expect(await zone.inputValue()).toBe("America/New_York");
    await zone.fill("Mars");
    await page.getByRole("button", { name: "Create the schedule" }).click();
    await waitFor(async () => (await zone.getAttribute("aria-invalid")) === "true", { what: "the zone to be marked" });
    await zone.fill("Europe/Berlin");
    await page.getByRole("button", { name: "Create the schedule" }).click();
    await page.getByText("It has not started anything yet.").waitFor();
    const next = page.getByRole("region", { name: "Next times" }).getByRole("row");
    expect(await next.count()).toBe(6);
    expect(await next.first().textContent()).toBe("Europe/BerlinYours: America/New York");
    expect(await next.nth(1).textContent()).toMatch(/07:00.*0[12]:00$/);
    const [id = ""] = page.url().split("/").slice(-1);
    const { record } = await gateway.schedules.get(id);
    expect(record).toMatchObject({
      name,
      cron: "0 7 L * *",
      timezone: "Europe/Berlin",
      searchParam: { health: ["DOWN"] },
      options: { format: "csv" },
    });
    expect(await page.evaluate("[window.harmed, document.images.length]")).toEqual([undefined, 0]);

    await page.getByRole("button", { name: `Run now: ${name}` }).click();
    await page.getByRole("button", { name: /^Download csv/ }).waitFor();
    await page.getByRole("link", { name: "Schedules" }).click();
    const row = page.getByRole("row", { name: /On the last day of the month at 07:00/ });
    await row.getByText("Started").waitFor();
    await row.getByRole("button", { name: /^Pause/ }).click();
    await row.getByText("Paused", { exact: true }).waitFor();
    expect((await gateway.schedules.get(id)).record.status).toBe("PAUSED");
    await row.getByRole("button", { name: /^Resume/ }).click();
    await row.getByText("Active", { exact: true }).waitFor();
    await row.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No schedules yet" }).waitFor();
    expect(await page.evaluate("[window.harmed, document.images.length]")).toEqual([undefined, 0]);
    await page.context().close();
  });

  test("who lost the authority still has their schedules, and may pause and delete them alone", async () => {
    await console_.users(async (users) => users.setAuthorities("lost", everyReport));
    const own = gatewayOf("lost");
    const { record } = await own.schedules.create({ name: "Mine", reportType: "PROXY", cron: "0 7 * * *" });
    await console_.users(async (users) => users.setAuthorities("lost", []));
    const page = await console_.openAs("lost", "#/schedules");
    const row = page.getByRole("row", { name: /Mine/ });
    await row.getByRole("button", { name: "Pause: Mine" }).click();
    await row.getByText("Paused", { exact: true }).waitFor();
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual(["Reports", "Schedules"]);
    expect(await row.getByRole("button").allTextContents()).toEqual(["Delete"]);
    await page.getByRole("link", { name: "Mine" }).click();
    await page.getByText("None until it is resumed.").waitFor();
    await page.getByRole("button", { name: "Delete: Mine" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No schedules yet" }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.getByRole("link", { name: "New schedule" }).count()).toBe(0);
    await expect(own.schedules.get(record.id)).rejects.toMatchObject({ status: 410 });
    await page.context().close();
  });

  test("a webhook is made, tells its secret once, is tried, sent again, rotated, paused and deleted; its address is text", async () => {
    await using receiver = await startReceiver(console_.receiverPort);
    const url = `${receiver.url}/hook?of=<img/src=x/onerror='window.harmed=1'>\u202Emoc\u202D`;
    const page = await console_.openAs("hooks", "#/webhooks");
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("link", { name: "New webhook" }).click();
    const address = page.getByLabel("Address");
    await address.fill("http://10.0.0.1/");
    await page.getByRole("button", { name: "Create the webhook" }).click();
    await waitFor(async () => (await address.getAttribute("aria-invalid")) === "true", { what: "it to be marked" });
    await address.fill(url);
    await page.getByText("Report cancelled").click();
    await page.getByRole("button", { name: "Create the webhook" }).click();
    const told = page.getByRole("dialog", { name: "The webhook’s secret" });
    const secret = (await told.locator("code").textContent())!;
    expect(secret).toMatch(/^whsec_/);
    await told.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("heading", { name: "Nothing has been sent yet" }).waitFor();
    const id = page.url().split("/").at(-1)!;
    expect(await page.content()).not.toContain(secret);
    expect(await gatewayOf("hooks").webhooks.get(id)).toMatchObject({
      url: new URL(url).href,
      events: ["report.succeeded", "report.failed", "report.cancelled"],
      reportTypes: null,
      of: "OWN",
    });

    await page.getByRole("button", { name: "Send a test" }).click();
    const tests = page.getByRole("row", { name: /Test/ });
    await tests.getByText("Delivered").waitFor();
    expect(await verifyWebhook(receiver.received[0]!, { secret })).toMatchObject({ data: { webhookId: id } });
    // It is tried again after five seconds, and after that one in five minutes.
    receiver.answersOnceWith(500);
    await page.getByRole("button", { name: /^Send again: Test/ }).click();
    await tests.getByText("answered 500").waitFor();
    receiver.answersWith(204);
    await tests.getByText("Delivered").waitFor();
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);

    await page.getByRole("button", { name: "Rotate the secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    await told.getByText("The previous secret also signs until").waitFor();
    const other = (await told.locator("code").textContent())!;
    await told.getByRole("button", { name: "I have stored it" }).click();
    const before = receiver.received.length;
    await page.getByRole("button", { name: "Send a test" }).click();
    await waitFor(() => receiver.received.length > before, { what: "another test", timeoutMs: 60_000 });
    const signed = await Promise.all(
      [secret, other].map(async (one) => verifyWebhook(receiver.received.at(-1)!, { secret: one })),
    );
    expect(signed.map(({ type }) => type)).toEqual(["webhook.test", "webhook.test"]);

    await page.getByRole("link", { name: "Webhooks" }).click();
    const row = page.getByRole("row", { name: /Report succeeded, Report failed, Report cancelled/ });
    await row.getByRole("button", { name: /^Pause/ }).click();
    await row.getByText("Paused", { exact: true }).waitFor();
    expect((await gatewayOf("hooks").webhooks.get(id)).status).toBe("PAUSED");
    await row.getByRole("button", { name: /^Resume/ }).click();
    await row.getByText("Active", { exact: true }).waitFor();
    await row.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    expect(await page.evaluate("[window.harmed, document.images.length]")).toEqual([undefined, 0]);
    await page.context().close();
  });

  test("the keyboard is enough", async () => {
    await gateway.reports.start({ reportType: "PROXY", format: "csv" });
    const page = await console_.openAs("ann");
    await page.locator("[data-row]").first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    // The row with the focus says the moment itself, the others how long ago it was.
    const moments = await page.evaluate(
      "[...document.querySelectorAll('tbody .whole')].filter((one) => getComputedStyle(one).clipPath === 'none').map((one) => one.textContent)",
    );
    expect(moments).toEqual([expect.stringMatching(/\d{4}, \d\d:\d\d:\d\d/)]);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "What happened" }).waitFor();
    await page.keyboard.press("n");
    await page.getByText("New report", { exact: true }).waitFor();
    // A new page takes the focus once it is drawn.
    await waitFor(async () => page.evaluate("document.activeElement.tagName === 'MAIN'"), { what: "the page's focus" });
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("INPUT");
    await page.context().close();
  });

  test("no page has a violation that axe knows of, and none is wider than the window: light and dark, wide and narrow", async () => {
    const own = gatewayOf("walker");
    await using receiver = await startReceiver(console_.receiverPort);
    receiver.answersWith(404);
    const schedule = own.schedules.create({
      name: "For axe",
      reportType: "PROXY_DOMAIN",
      searchParam: { severity: ["EXPIRED"] },
      options: { format: "xlsx", title: "What has expired" },
      cron: "30 6 * * 1-5",
      timezone: "Europe/Amsterdam",
    });
    const webhook = own.webhooks.create({
      url: `${receiver.url}/${"nowhere/".repeat(20)}`,
      events: ["report.succeeded", "report.failed", "schedule.paused"],
    });
    const [report, { record }, { id: webhookId }] = await Promise.all([
      own.reports.start({ reportType: "PROXY", format: "pdf", title: "For axe" }),
      schedule,
      webhook,
    ]);
    await Promise.all([own.schedules.run(record.id), own.webhooks.test(webhookId), own.reports.wait(report.id)]);
    const firstRow = (page: Page): Locator => page.locator("[data-row]").first();
    const facts = (page: Page): Locator => page.locator("dl.facts");
    const refused = (page: Page): Locator => page.getByText("Please check these fields");
    const press =
      (name: string) =>
      async (page: Page): Promise<void> =>
        page.getByRole("button", { name }).click();
    const states: readonly State[] = [
      { fragment: "#/reports", title: "My reports", shown: firstRow },
      { fragment: "#/reports?of=all&format=pdf", title: "All reports", shown: firstRow },
      {
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
        fragment: `#/reports/${randomUUID()}`,
        title: "Report",
        shown: (page) => page.getByRole("heading", { name: "Not found" }),
      },
      {
        fragment: "#/new?type=PROXY&preview=yes&format=xlsx&f.health=UP&columns=name,health,region",
        title: "Proxy inventory",
        shown: (page) => page.locator(".preview tbody tr"),
      },
      {
        fragment:
          "#/new?type=PROXY_DOMAIN&preview=yes&f.severity=EXPIRED&f.upstreamPort=none&columns=hostname,daysLeft&title=x",
        title: "Domains and certificates",
        act: press("Start the pdf report"),
        shown: refused,
      },
      { fragment: "#/schedules", title: "Schedules", shown: (page) => page.getByRole("row", { name: /For axe/ }) },
      {
        fragment: `#/schedules/${record.id}`,
        title: "For axe",
        shown: (page) => page.getByRole("region", { name: "History" }).getByText("Started"),
      },
      {
        fragment: "#/schedule?type=PROXY&f.health=DOWN&rhythm=month&zone=Mars",
        title: "Proxy inventory",
        act: press("Create the schedule"),
        shown: refused,
      },
      { fragment: "#/proxies?f.q=-001&sort=name", title: "Proxies", shown: firstRow },
      {
        fragment: "#/proxies?f.port=none",
        title: "Proxies",
        shown: (page) => page.locator("[aria-invalid=true]"),
      },
      {
        fragment: "#/proxies?f.q=nowhere",
        title: "Proxies",
        shown: (page) => page.getByRole("link", { name: "Clear filters" }),
      },
      { fragment: "#/proxies", title: /-\d+$/, act: async (page) => firstRow(page).click(), shown: facts },
      { fragment: "#/domains?f.severity=EXPIRED", title: "Domains", shown: firstRow },
      { title: /\./, act: async (page) => firstRow(page).click(), shown: facts },
      {
        fragment: `#/domains/${randomUUID()}`,
        title: "Domain",
        shown: (page) => page.getByRole("heading", { name: "Which proxy?" }),
      },
      { fragment: "#/certificates", title: "Certificates", shown: firstRow },
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
        shown: refused,
      },
      {
        fragment: "#/queue",
        title: "Queue",
        shown: (page) => page.getByRole("row", { name: /Proxy inventory, Domains and certificates/ }),
      },
      {
        fragment: "#/nowhere",
        title: "Page not found",
        shown: (page) => page.getByRole("link", { name: "Go to the reports" }),
      },
      {
        title: "Page not found",
        act: async (page) => page.locator("main").press("?"),
        shown: (page) => page.getByRole("dialog", { name: "Keyboard shortcuts" }),
      },
      {
        fragment: "#/domains?f.severity=CRITICAL",
        title: "Domains",
        async act(page) {
          await page.keyboard.press("Escape");
          await firstRow(page).waitFor();
          await page.context().setOffline(true);
        },
        shown: (page) => page.getByText("Cannot reach the gateway.", { exact: false }),
      },
    ];
    const page = await console_.openAs("walker");
    const { fragments, faults } = await walk(page, states);
    expect(faults).toEqual([]);
    const sources = readFileSync(join(root, "apps/console/src/shell/pages.ts"), "utf8");
    const there = [...sources.matchAll(/\{ path: "([^"]+)"/g)].map(([, path]) => path!);
    const walked = fragments.map((each) => each.replace(/^#\//, "").replace(/\?.*/, "").replace(/\/.*/, "/ID"));
    expect(there.filter((path) => !walked.includes(path))).toEqual([]);
    await page.context().close();
    await Promise.all([own.schedules.remove(record.id), own.webhooks.remove(webhookId)]);
  });

  function gatewayOf(name: string): Gateway {
    return createGateway({ baseUrl: console_.api.url, credentials: { name, password: passwordOf(name) } });
  }

  test("what the script begins with is fetched beside it", () => {
    const site = join(root, "apps/console/dist/site");
    const index = readFileSync(join(site, "index.html"), "utf8");
    const script = /src="console\/(main-[^"]+)"/.exec(index)![1]!;
    const begins = [...readFileSync(join(site, script), "utf8").matchAll(/from"\.\/([^"]+\.js)"/g)].map(
      ([, name]) => name,
    );
    expect(begins.length).toBeGreaterThan(0);
    expect([...index.matchAll(/rel="modulepreload" href="console\/([^"]+)"/g)].map(([, name]) => name)).toEqual(begins);
  });

  test("all of its files together are smaller than 60 KB compressed", () => {
    const site = join(root, "apps/console/dist/site");
    const sizes = readdirSync(site).map((name) => gzipSync(readFileSync(join(site, name)), { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  });

  // Last, because the API stays as it is started here.
  describe("where people sign in at an issuer", () => {
    let issuer: IssuerUnderTest;
    const settings = (audience: string) => ({
      AUTH_JWT_SECRET: "",
      AUTH_JWKS_URL: `${issuer.url}/keys`,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: audience,
      CONSOLE_OIDC_CLIENT_ID: "console",
      CONSOLE_OIDC_SCOPE: "openid reports",
      WEBHOOK_KEY: "",
    });
    beforeAll(async () => {
      const authorities = ["REPORT_PROXY", "WEBHOOKS_WRITE"];
      issuer = await startIssuer({ clientId: "console", audience: "reports", authorities });
      await console_.api.restart(settings("reports"));
    });
    afterAll(async () => issuer[Symbol.asyncDispose]());

    test("one comes back signed in, to where one was, and nothing of it is kept; the access token is what is used", async () => {
      const page = await console_.open();
      const used: string[] = [];
      page.on("request", (request) => used.push(request.headers()["authorization"] ?? ""));
      await page.goto(`${console_.api.url}/console#/new?type=PROXY&title=From+the+issuer`);
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole("button", { name: "Sign in with your organisation" }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      // Whoever might have webhooks has none where the deployment does not.
      expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
        "Reports",
        "New",
        "Schedules",
      ]);
      expect(await page.getByLabel("Title").inputValue()).toBe("From the issuer");
      expect(page.url()).toBe(`${console_.api.url}/console#/new?type=PROXY&title=From+the+issuer`);
      expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([0, 0, ""]);
      expect(new Set(used.filter((value) => value !== ""))).toEqual(new Set([`Bearer ${issuer.accessTokens.at(-1)}`]));
      expect(issuer.asked.at(-1)).toMatchObject({
        response_type: "code",
        client_id: "console",
        scope: "openid reports",
        code_challenge_method: "S256",
        redirect_uri: `${console_.api.url}/console`,
      });
      await page.getByRole("button", { name: /^Start the/ }).click();
      await page.getByRole("heading", { level: 1, name: "From the issuer" }).waitFor();
      await page.context().close();
    });

    test("a token that is taken no longer leads to the issuer and back to what one was doing", async () => {
      const page = await console_.open();
      await page.goto(`${console_.api.url}/console#/new?type=PROXY`);
      await page.getByRole("button", { name: "Sign in with your organisation" }).click();
      await page.getByText("More options").click();
      await page.getByLabel("Title").fill("Half done");
      await page.getByText("Down", { exact: true }).click();
      await console_.api.restart(settings("elsewhere"));
      issuer.givesTokensFor("elsewhere");
      // By itself the page may have asked meanwhile; then the dialog stands over the button already.
      await page.getByRole("button", { name: "Start the pdf report" }).dispatchEvent("click");
      const dialog = page.getByRole("dialog", { name: "Sign in again" });
      await dialog.waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Sign in with your organisation" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      expect(await page.getByLabel("Title").inputValue()).toBe("Half done");
      expect(await page.evaluate("[localStorage.length, sessionStorage.length]")).toEqual([0, 0]);
      await page.getByRole("button", { name: "Start the pdf report" }).click();
      await page.getByRole("heading", { level: 1, name: "Half done" }).waitFor();
      await page.getByText("Health: Down").waitFor();
      await page.context().close();
    });

    test.each([
      "javascript:document.title='run'",
      "data:text/html,<title>run</title>",
      "blob:https://issuer.example/1",
      "file:///etc/passwd",
      "http://issuer.example/authorize",
      "//issuer.example/authorize",
      "not a URL",
    ])("the console does not go to the authorization endpoint %s", async (endpoint) => {
      issuer.sendsTo(endpoint);
      const page = await console_.open();
      const address = `${console_.api.url}/console`;
      await page.goto(address);
      await page.getByRole("button", { name: "Sign in with your organisation" }).click();
      await page.getByText("The issuer’s sign-in address is not https.").waitFor();
      expect(page.url().startsWith(address)).toBe(true);
      expect(await page.title()).not.toBe("run");
      expect(await page.evaluate("sessionStorage.length")).toBe(0);
      issuer.sendsTo(null);
      await page.context().close();
    });

    test("who is refused, or comes back with what is not the answer, is told so and is not signed in", async () => {
      const page = await console_.open();
      for (const [how, sentence] of [
        ["denied", "The issuer did not let you in."],
        ["another state", "The issuer’s answer does not belong to this sign-in."],
        ["another nonce", "The issuer’s answer does not belong to this sign-in."],
        ["another code", "The issuer refused: The code is not of this verifier."],
      ] as const) {
        issuer.answersWith(how);
        await page.goto(`${console_.api.url}/console`);
        await page.getByRole("button", { name: "Sign in with your organisation" }).click();
        await page.getByText(sentence).waitFor();
        expect(await page.evaluate("[location.search, sessionStorage.length]")).toEqual(["", 0]);
      }
      expect(await faultsOf(page)).toEqual([]);
      issuer.answersWith("as it should");
      // A code out of somebody else's link signs nobody in.
      await page.goto(`${console_.api.url}/console?code=stolen&state=x`);
      await page.getByRole("button", { name: "Sign in with your organisation" }).waitFor();
      expect(await page.evaluate("location.search")).toBe("");
      await page.getByText("With name and password").click();
      await signIn(page, "ben");
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      await page.context().close();
    });
  });
});
