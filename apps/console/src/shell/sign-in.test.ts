import { hashPassword } from "@reports/auth";
import { createUserStore } from "@reports/db";
import { waitFor } from "@reports/testing";
import { beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities, runOnDatabase, type ServiceAddress } from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, signIn, test } from "../test/browser-test.ts";
import { sharedService } from "../test/console-service.ts";
import { findViolations } from "../test/page-violations.ts";

let service: ServiceAddress;

describe.skipIf(!hasChromium).concurrent("the console's sign-in", { timeout: browserTimeoutMs }, () => {
  beforeAll(async () => {
    service = await sharedService();
  }, browserTimeoutMs);

  test("the sign-in marks a wrong password, and stores nothing after a correct one", async ({ pages }) => {
    const ben = await addUser(service, "ben", allReportAuthorities);
    const page = await pages.open(service);
    await signIn(page, ben.name, "wrong");
    await page.getByText("The name or the password is wrong.").waitFor();
    expect(await page.getByLabel("Password").getAttribute("aria-invalid")).toBe("true");
    expect(await findViolations(page)).toEqual([]);
    await signIn(page, ben.name);
    await page.getByRole("heading", { name: "My reports" }).waitFor();
    await page.getByRole("heading", { name: "No reports yet" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([0, 0, ""]);
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("a violation of the content security policy fails a test", async ({ pages }) => {
    const page = await pages.open(service);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.evaluate(
      "document.head.append(Object.assign(document.createElement('style'), { textContent: 'b {}' }))",
    );
    await waitFor(async () => pages.complaints.length > 0, { what: "a complaint" });
    expect(pages.complaints.splice(0)).toEqual([expect.stringContaining("Content Security Policy")]);
  });

  test("a user without authorities sees only the reports page and whom to ask", async ({ pages }) => {
    const page = await pages.openAs(await addUser(service, "guest", []));
    await page.getByRole("heading", { name: "You have no authority for any report type" }).waitFor();
    await page.getByText("Ask the operator of the gateway").waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual(["Reports"]);
    expect(await page.getByRole("link", { name: "New report" }).count()).toBe(0);
    await page.goto(`${service.url}/console#/new`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });

  test("a user with one authority starts that type only and sees no other report", async ({ pages }) => {
    const ann = await addUser(service, "ann", allReportAuthorities);
    const { id } = await ann.gateway.reports.start({ reportType: "PROXY_DOMAIN", format: "csv" });
    const page = await pages.openAs(await addUser(service, "proxies", ["REPORT_PROXY"]), "#/new");
    await page.getByRole("heading", { name: "Proxy inventory" }).waitFor();
    expect(await page.getByRole("radio", { name: "Domains and certificates" }).count()).toBe(0);
    await page.goto(`${service.url}/console#/reports/${id}`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
  });

  test("the console asks for expired credentials over the page, which keeps its state", async ({ pages }) => {
    const temp = await addUser(service, "temp", allReportAuthorities);
    const page = await pages.openAs(temp, "#/new?type=PROXY&f.region=somewhere&title=Half+done");
    const passwordHash = await hashPassword("another long password");
    await runOnDatabase(service, async (database) => createUserStore(database).setDisabled(temp.name, true));
    // The dialog may already cover the button, because the page requests an estimate, too.
    await page.getByRole("button", { name: "Start the pdf report" }).dispatchEvent("click");
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await runOnDatabase(service, async (database) => createUserStore(database).setDisabled(temp.name, false));
    await runOnDatabase(service, async (database) =>
      createUserStore(database).setPasswordHash(temp.name, passwordHash),
    );
    await dialog.getByLabel("Password").fill("another long password");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("Title").inputValue()).toBe("Half done");
    await page.getByRole("button", { name: "Start the pdf report" }).click();
    await page.getByRole("heading", { level: 1, name: "Half done" }).waitFor();
  });

  test("without data, a page says that the gateway is unreachable and shows no spinner", async ({ pages }) => {
    const page = await pages.openAs(
      await addUser(service, "ann", [...allReportAuthorities, "REGISTRY_READ"]),
      "#/reports",
    );
    await page.getByRole("heading", { level: 1, name: "My reports" }).waitFor();
    await page.context().setOffline(true);
    await page.evaluate("location.hash = '#/proxies'");
    await page.getByText("Cannot reach the gateway. Trying again", { exact: false }).waitFor();
    expect(await page.locator(".loading").count()).toBe(0);
    await page.context().setOffline(false);
    await page.locator("[data-row]").first().waitFor();
  });
});
