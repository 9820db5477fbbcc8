import { createUserStore } from "@reports/db";
import { isFullTestRun, waitFor } from "@reports/testing";
import { beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities, runWithServiceDatabase, type ServiceAddress } from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, test } from "../test/browser-test.ts";
import { getSharedService } from "../test/console-service.ts";
import { findAccessibilityViolations } from "../test/page-violations.ts";
import { seeToast } from "../test/see-toast.ts";

const unfitBecause = { code: "INVALID_PARAMETERS", detail: "The filter colour is gone." };
const activeAdvice = "What to do: Change it. Until then, its runs can be refused, and the service can pause it.";
let service: ServiceAddress;

describe.skipIf(!hasChromium).concurrent("schedules in the console", { timeout: browserTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedService();
  }, browserTimeoutMs);

  test("a user can create a schedule from a report, and run, pause and delete it", async ({ pages }) => {
    const ann = await addUser(service, "ann", allReportAuthorities);
    const name = "<img src=x onerror='window.harmed=1'> \u202Emoc\u202D";
    const page = await pages.openAs(ann, "#/schedules", { timezoneId: "America/New_York" });
    await page.getByRole("link", { name: "New schedule" }).click();
    expect(await page.getByRole("link", { name: "Schedule this" }).count()).toBe(0);
    await page.getByRole("radio", { name: "Proxy inventory" }).waitFor();
    await page.evaluate("location.hash += '&type=PROXY&format=csv&f.health=DOWN'");
    await page.getByRole("link", { name: "Next: when it starts" }).click();
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("How often").selectOption({ label: "Every month" });
    await page.getByLabel("Day of the month").selectOption({ label: "Last" });
    await page.getByText("More options").click();
    await page.getByLabel("Ends at").fill("2040-01-01T00:00");
    await page.getByLabel("Seconds a run may be late").fill("60");
    const zone = page.getByLabel("Time zone");
    expect(await zone.inputValue()).toBe("America/New_York");
    await zone.fill("Mars");
    await page.getByRole("button", { name: "Create the schedule" }).click();
    await waitFor(async () => (await zone.getAttribute("aria-invalid")) === "true", { what: "the zone to be marked" });
    await zone.fill("Europe/Berlin");
    const next = page.getByRole("region", { name: "Next times" }).getByRole("row");
    await next
      .filter({ hasText: /07:00.*0[12]:00$/ })
      .nth(4)
      .waitFor();
    await page.getByRole("button", { name: "Create the schedule" }).click();
    await page.getByText("It has not started anything yet.").waitFor();
    expect(await next.count()).toBe(6);
    expect(await next.first().textContent()).toBe("Europe/BerlinYours: America/New York");
    expect(await next.nth(1).textContent()).toMatch(/07:00.*0[12]:00$/);
    const [id = ""] = page.url().split("/").slice(-1);
    const { record } = await ann.gateway.schedules.get(id);
    expect(record).toMatchObject({
      name,
      cron: "0 7 L * *",
      timezone: "Europe/Berlin",
      endsAt: "2040-01-01T05:00:00.000Z",
      missedWithinSeconds: 60,
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
    expect((await ann.gateway.schedules.get(id)).record.status).toBe("PAUSED");
    await row.getByRole("button", { name: /^Resume/ }).click();
    await row.getByText("Active", { exact: true }).waitFor();
    await row.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No schedules yet" }).waitFor();
    expect(await page.evaluate("[window.harmed, document.images.length]")).toEqual([undefined, 0]);
  });

  // In every run, cron.test.ts and time-text.test.ts test the words, and the next test reads the advice for an active schedule.
  test(
    "the page of a schedule shows its options in words, and advice if it is invalid",
    { skip: !isFullTestRun },
    async ({ pages }) => {
      const ann = await addUser(service, "ann", allReportAuthorities);
      const input = { name: "Old", reportType: "PROXY", cron: "30 6 * * 1", timezone: "Europe/Berlin" };
      const { record } = await ann.gateway.schedules.create(input);
      const page = await pages.openAs(ann, "", { timezoneId: "Asia/Tokyo" });
      for (const [status, advice] of [
        ["ACTIVE", activeAdvice],
        ["PAUSED", "What to do: Change it, then resume it."],
      ] as const) {
        await page.route(`**/v1/report-schedules/${record.id}`, async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...((await response.json()) as object), status, unfitBecause } });
        });
        await page.goto(`${service.url}/console#/schedules/${record.id}`);
        await page.getByText(advice).waitFor();
        await page.evaluate("location.hash = '#/schedules'");
        await page.getByRole("row", { name: /Old.*at 06:30 Europe\/Berlin/ }).waitFor();
        await page.getByText("Times are in the time zone Asia/Tokyo.").waitFor();
      }
      const often = await ann.gateway.schedules.create({
        name: "Often",
        reportType: "PROXY",
        cron: "*/15 8-18 * * 1-5",
        options: { format: "pdf", language: "de", accessible: true },
      });
      await page.evaluate(`location.hash = '#/schedules/${often.record.id}'`);
      const facts = page.getByRole("region", { name: "Report" });
      await facts.getByText("German").waitFor();
      expect(await facts.getByText("*/15 8-18 * * 1-5").count()).toBe(1);
      expect(await facts.getByText("true").count()).toBe(0);
      await facts.getByText("Yes").waitFor();
    },
  );

  test("an invalid schedule has advice; the form lists invalid fields in order, and sends only changed fields", async ({
    pages,
  }) => {
    const ann = await addUser(service, "ann", allReportAuthorities);
    const page = await pages.openAs(ann, "#/schedule?type=PROXY&rhythm=cron&cron=never&zone=Mars");
    await page.getByText("No filters: all rows are included.").waitFor();
    await page.getByRole("button", { name: "Create the schedule" }).click();
    const box = page.getByRole("complementary", { name: "Schedule" }).getByRole("alert");
    await box.waitFor();
    expect(await box.getByRole("button").allTextContents()).toEqual(["Pattern", "Time zone"]);
    await box.getByRole("button", { name: "Pattern" }).click();
    expect(await page.evaluate("document.activeElement.value")).toBe("never");

    const { schedules } = ann.gateway;
    const input = {
      name: "Mine",
      reportType: "PROXY",
      cron: "30 6 * * 1",
      timezone: "Europe/Berlin",
      searchParam: { health: ["DOWN"] },
      options: { format: "csv", timezone: "UTC" },
      endsAt: "2040-01-01T00:00:30.000Z",
    };
    const { record } = await schedules.create(input);
    const address = `**/v1/report-schedules/${record.id}`;
    await page.route(address, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), unfitBecause } });
    });
    await page.evaluate(`location.hash = '#/schedules/${record.id}'`);
    await page.getByText(activeAdvice).waitFor();
    await page.unroute(address);
    await page.evaluate("location.hash = '#/schedules'");
    await page.getByRole("row", { name: /Mine.*Health: Down/ }).waitFor();
    await page.getByRole("link", { name: "Change: Mine" }).click();
    expect(await page.getByLabel("How often").inputValue()).toBe("week");
    const time = page.getByLabel("Time", { exact: true });
    expect(await time.inputValue()).toBe("06:30");
    await time.fill("07:15");
    // Another user changes the schedule while the form is open.
    await schedules.patch(record.id, { name: "Ours", overlap: "ALLOW" });
    const save = page.getByRole("button", { name: "Save the changes" });
    await save.click();
    const conflict = page.getByRole("alert").filter({ hasText: "Somebody else has changed it meanwhile" });
    await conflict.getByText("Name: Mine became Ours").waitFor();
    expect(await time.inputValue()).toBe("07:15");
    expect(await page.getByLabel("Name").inputValue()).toBe("Ours");
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Change the report" }).click();
    await page.getByText("xlsx", { exact: true }).first().click();
    await page.getByRole("link", { name: "Next: when it starts" }).click();
    expect(await time.inputValue()).toBe("07:15");
    await page.getByLabel("Ends at").fill("");
    await seeToast(page, "Schedule saved.", async () => save.click());
    expect((await schedules.get(record.id)).record).toMatchObject({
      name: "Ours",
      cron: "15 7 * * 1",
      timezone: "Europe/Berlin",
      searchParam: { health: ["DOWN"] },
      options: { format: "xlsx", timezone: "UTC" },
      overlap: "ALLOW",
      endsAt: null,
    });
  });

  test("an owner without the type's authority can only pause or delete a schedule", async ({ pages }) => {
    const lost = await addUser(service, "lost", allReportAuthorities);
    const own = lost.gateway;
    const { record } = await own.schedules.create({ name: "Mine", reportType: "PROXY", cron: "0 7 * * *" });
    await runWithServiceDatabase(service, async (database) => createUserStore(database).setAuthorities(lost.name, []));
    const page = await pages.openAs(lost, "#/schedules");
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
    expect(await findAccessibilityViolations(page)).toEqual([]);
    expect(await page.getByRole("link", { name: "New schedule" }).count()).toBe(0);
    await expect(own.schedules.get(record.id)).rejects.toMatchObject({ status: 410 });
  });
});
