import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Report, ReportStart } from "@reports/client";
import { createReportStore } from "@reports/db";
import { isFullTestRun, unrestrictedClaimTerms } from "@reports/testing";
import type { Locator } from "playwright-core";
import { describe, expect } from "vitest";
import {
  addUser,
  addWaitingReport,
  allReportAuthorities,
  runWithServiceDatabase,
  type ServiceAddress,
  type TestUser,
} from "./add-user.ts";
import { browserTimeoutMs, hasChromium, test } from "./browser-test.ts";
import { getSharedService } from "./console-service.ts";
import { InteractionCounter } from "./interaction-counter.ts";
import { seeToast } from "./see-toast.ts";

const decision = "../../../../docs/decisions/0096-ten-jobs-measure-the-console.md";
const decidedEfforts = new Map(
  [...readFileSync(join(import.meta.dirname, decision), "utf8").matchAll(/^\| (.+) \| (\d.* s) \|$/gm)].map(
    ([, job, effort]) => [job!, effort!],
  ),
);

interface Job {
  /** Outside of CI, only these jobs are done. Other tests of the console use the same controls as the other jobs. */
  readonly isInEveryRun?: boolean;
  prepare?(user: TestUser): Promise<string>;
  perform(hands: InteractionCounter, user: TestUser, id: string): Promise<void>;
}

const mondayMorning = { cron: "0 6 * * 1", timezone: "Europe/Berlin" } as const;

const link = ({ page }: InteractionCounter, name: string): Locator => page.getByRole("link", { name, exact: true });
const button = ({ page }: InteractionCounter, name: string | RegExp): Locator => page.getByRole("button", { name });
const radio = ({ page }: InteractionCounter, name: string | RegExp): Locator => page.getByRole("radio", { name });

let service: ServiceAddress;

async function makeReport({ gateway }: TestUser, start: Partial<ReportStart>): Promise<Report> {
  const small = { reportType: "PROXY_DOMAIN", format: "csv", searchParam: { severity: ["EXPIRED"] } };
  const { id } = await gateway.reports.start({ ...small, ...start });
  return gateway.reports.wait(id);
}

async function createSchedule({ gateway }: TestUser, name: string): Promise<string> {
  const { record } = await gateway.schedules.create({ name, reportType: "PROXY", ...mondayMorning });
  return record.id;
}

const jobs: Readonly<Record<string, Job>> = {
  "certificates that expire within 30 days as xlsx every Monday at 6:00 in Berlin": {
    async perform(hands, { gateway }) {
      await hands.click(link(hands, "New report"));
      await hands.click(radio(hands, "Domains and certificates"));
      await hands.click(radio(hands, "Within 30 days").first());
      await hands.click(radio(hands, /^xlsx/));
      await hands.click(link(hands, "Schedule this"));
      await hands.choose(hands.page.getByLabel("How often"), "Every week");
      await hands.fill(hands.page.getByLabel("Time", { exact: true }), "0600A");
      await hands.fill(hands.page.getByLabel("Time zone"), mondayMorning.timezone);
      await hands.click(button(hands, "Create the schedule"));
      await hands.page.getByText("It has not started anything yet.").waitFor();
      expect((await gateway.schedules.get(hands.page.url().split("/").at(-1)!)).record).toMatchObject({
        ...mondayMorning,
        searchParam: { certNotAfterFrom: "now", certNotAfterTo: "now+P30D" },
        options: { format: "xlsx" },
      });
    },
  },
  "read why last night's report failed": {
    isInEveryRun: true,
    async prepare(user) {
      const id = await addWaitingReport(user, "Of last night");
      await runWithServiceDatabase(service, async (database) => {
        const store = createReportStore(database);
        await store.claim(id, { workerId: "test", leaseMs: 3_600_000, ...unrestrictedClaimTerms });
        const failure = { code: "SPOOL_LIMIT_EXCEEDED", detail: "The file is too large.", retryable: false } as const;
        await store.fail(id, 1, { ...failure, spendsFailure: true });
      });
      return id;
    },
    async perform(hands) {
      await hands.choose(hands.page.getByLabel("State"), "Failed");
      await hands.click(link(hands, "Of last night"));
      await hands.page.getByText("What to do:").waitFor();
    },
  },
  "share the file with a colleague": {
    prepare: async (user) => (await makeReport(user, { title: "For everybody" })).id,
    async perform(hands) {
      await hands.click(link(hands, "For everybody"));
      await hands.click(button(hands, /^Share: /));
      await hands.click(button(hands, "Make a download link"));
      await seeToast(hands.page, "Copied", async () => hands.click(button(hands, "Copy the download link")));
    },
  },
  "last month's report again, as pdf by severity": {
    isInEveryRun: true,
    prepare: async (user) => (await makeReport(user, { title: "Of last month" })).id,
    async perform(hands, { gateway }) {
      await hands.click(link(hands, "Of last month"));
      await hands.click(link(hands, "Change and run"));
      await hands.click(radio(hands, /^pdf/));
      await hands.choose(hands.page.getByLabel("Grouped by"), "Severity");
      await hands.click(button(hands, "Start the pdf report"));
      await button(hands, /^Download pdf/).waitFor();
      const started = await gateway.reports.get(hands.page.url().split("/").at(-1)!);
      expect(started).toMatchObject({ format: "pdf", options: { groupBy: "severity" } });
    },
  },
  "stop this schedule": {
    prepare: async (user) => createSchedule(user, "To stop"),
    async perform(hands) {
      await hands.click(link(hands, "Schedules"));
      await hands.click(button(hands, "Pause: To stop"));
      const row = hands.page.getByRole("row", { name: /To stop/ });
      await row.getByText("Paused", { exact: true }).waitFor();
    },
  },
  "see the users of webhooks": {
    prepare: async ({ gateway }) =>
      (await gateway.webhooks.create({ url: "https://hooks.example.com/", events: ["report.failed"] })).id,
    async perform(hands, { name }) {
      await hands.click(link(hands, "Webhooks"));
      await hands.page.getByRole("cell", { name }).waitFor();
    },
  },
  "find a report by the id that somebody sent": {
    isInEveryRun: true,
    prepare: async (user) => (await makeReport(user, { title: "Of a colleague" })).id,
    async perform(hands, _, id) {
      await hands.type("/");
      await hands.paste(id);
      await hands.page.getByRole("heading", { level: 1, name: "Of a colleague" }).waitFor();
    },
  },
  "see which workers are alive": {
    async perform(hands) {
      await hands.click(link(hands, "Queue"));
      await hands.page.getByRole("row", { name: /Proxy inventory, Domains and certificates/ }).waitFor();
    },
  },
  "learn the meaning of `WARN`": {
    async perform(hands) {
      await hands.click(link(hands, "New report"));
      await hands.click(radio(hands, "Domains and certificates"));
      await hands.click(hands.page.getByRole("checkbox", { name: "Expiring soon", exact: true }));
      await hands.page.getByText(/^Expiring soon: .+\.$/).waitFor();
    },
  },
  "change the time of a schedule": {
    prepare: async (user) => createSchedule(user, "To change"),
    async perform(hands, { gateway }, id) {
      await hands.click(link(hands, "Schedules"));
      await hands.click(link(hands, "Change: To change"));
      await hands.fill(hands.page.getByLabel("Time", { exact: true }), "0715");
      await seeToast(hands.page, "Schedule saved.", async () => hands.click(button(hands, "Save the changes")));
      expect((await gateway.schedules.get(id)).record.cron).toBe("15 7 * * 1");
    },
  },
  "cancel my running report": {
    prepare: async (user) => addWaitingReport(user, "Runs"),
    async perform(hands, { gateway }, id) {
      await hands.click(button(hands, "Cancel: Runs"));
      await hands.page.getByRole("cell", { name: "Cancelled" }).waitFor();
      expect((await gateway.reports.get(id)).status).toBe("CANCELLED");
    },
  },
};

describe.skipIf(!hasChromium)("the jobs of people in the console", { timeout: browserTimeoutMs }, () => {
  test("jobs take the efforts that decision 0096 states", async ({ pages }) => {
    service = await getSharedService();
    const user = await addUser(service, "ann", [...allReportAuthorities, "REPORTS_ADMIN", "WEBHOOKS_WRITE"]);
    const page = await pages.openAs(user, "#/reports", { permissions: ["clipboard-write"] });
    const efforts = new Map<string, string>();
    const done = Object.entries(jobs).filter(([, { isInEveryRun }]) => isFullTestRun || isInEveryRun === true);
    for (const [name, { prepare, perform }] of done) {
      const id = (await prepare?.(user)) ?? "";
      await page.evaluate("location.hash = '#/reports'");
      await page.getByRole("heading", { name: "My reports" }).waitFor();
      const hands = new InteractionCounter(page);
      await perform(hands, user, id);
      efforts.set(name, hands.effort);
    }
    const decided = [...decidedEfforts].filter(([name]) => isFullTestRun || jobs[name]?.isInEveryRun === true);
    expect(efforts).toEqual(new Map(decided));
  });
});
