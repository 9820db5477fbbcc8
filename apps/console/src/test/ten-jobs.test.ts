import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Report, ReportStart } from "@reports/client";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities, type TestUser } from "./add-user.ts";
import { browserTimeoutMs, hasChromium, test } from "./browser-test.ts";
import { startDedicatedService, type DedicatedService } from "./console-service.ts";
import { InteractionCounter } from "./interaction-counter.ts";
import { seeToast } from "./see-toast.ts";

const decision = "../../../../docs/decisions/0096-ten-jobs-measure-the-console.md";
const decidedEfforts = new Map(
  [...readFileSync(join(import.meta.dirname, decision), "utf8").matchAll(/^\| (.+) \| (\d.* s) \|$/gm)].map(
    ([, job, effort]) => [job!, effort!],
  ),
);

interface Job {
  readonly authorities?: readonly string[];
  prepare?(user: TestUser): Promise<string>;
  perform(hands: InteractionCounter, user: TestUser, id: string): Promise<void>;
}

const mondayMorning = { cron: "0 6 * * 1", timezone: "Europe/Berlin" } as const;

const link = ({ page }: InteractionCounter, name: string): Locator => page.getByRole("link", { name, exact: true });
const button = ({ page }: InteractionCounter, name: string | RegExp): Locator => page.getByRole("button", { name });
const radio = ({ page }: InteractionCounter, name: string | RegExp): Locator => page.getByRole("radio", { name });

let service: DedicatedService;

async function makeReport({ gateway }: TestUser, start: Partial<ReportStart>): Promise<Report> {
  const small = { reportType: "PROXY_DOMAIN", format: "csv", searchParam: { severity: ["EXPIRED"] } };
  const { id } = await gateway.reports.start({ ...small, ...start });
  return gateway.reports.wait(id);
}

async function createSchedule({ gateway }: TestUser): Promise<string> {
  const { record } = await gateway.schedules.create({ name: "Mine", reportType: "PROXY", ...mondayMorning });
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
      expect(await Array.fromAsync(gateway.schedules.list())).toMatchObject([
        {
          ...mondayMorning,
          searchParam: { certNotAfterFrom: "now", certNotAfterTo: "now+P30D" },
          options: { format: "xlsx" },
        },
      ]);
    },
  },
  "read why last night's report failed": {
    prepare: async (user) => (await makeReport(user, { format: "json", searchParam: {}, title: "Of last night" })).id,
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
    prepare: createSchedule,
    async perform(hands) {
      await hands.click(link(hands, "Schedules"));
      await hands.click(button(hands, "Pause: Mine"));
      await hands.page.getByText("Paused", { exact: true }).waitFor();
    },
  },
  "see the users of webhooks": {
    authorities: ["REPORTS_ADMIN", "WEBHOOKS_WRITE"],
    prepare: async ({ gateway }) =>
      (await gateway.webhooks.create({ url: "https://hooks.example.com/", events: ["report.failed"] })).id,
    async perform(hands, { name }) {
      await hands.click(link(hands, "Webhooks"));
      await hands.page.getByRole("cell", { name }).waitFor();
    },
  },
  "find a report by the id that somebody sent": {
    prepare: async (user) => (await makeReport(user, { title: "Of a colleague" })).id,
    async perform(hands, _, id) {
      await hands.type("/");
      await hands.paste(id);
      await hands.page.getByRole("heading", { level: 1, name: "Of a colleague" }).waitFor();
    },
  },
  "see which workers are alive": {
    authorities: ["REPORTS_ADMIN"],
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
    prepare: createSchedule,
    async perform(hands, { gateway }, id) {
      await hands.click(link(hands, "Schedules"));
      await hands.click(link(hands, "Change: Mine"));
      await hands.fill(hands.page.getByLabel("Time", { exact: true }), "0715");
      await seeToast(hands.page, "Schedule saved.", async () => hands.click(button(hands, "Save the changes")));
      expect((await gateway.schedules.get(id)).record.cron).toBe("15 7 * * 1");
    },
  },
  "cancel my running report": {
    async prepare({ gateway }) {
      // The worker is stopped, so the report is not finished before the user cancels it.
      service.stand.workers[0]!.signal("SIGSTOP");
      return (await gateway.reports.start({ reportType: "PROXY", format: "csv", title: "Runs" })).id;
    },
    async perform(hands, { gateway }, id) {
      await hands.click(button(hands, "Cancel: Runs"));
      await hands.page.getByRole("cell", { name: "Cancelled" }).waitFor();
      expect((await gateway.reports.get(id)).status).toBe("CANCELLED");
    },
  },
};

describe.skipIf(!hasChromium)("the jobs of people in the console", { timeout: browserTimeoutMs }, () => {
  beforeAll(async () => {
    // A json report of all domains exceeds this spool limit, so it fails.
    service = await startDedicatedService({ SPOOL_MAX_BYTES: "100000" }, 1);
  }, browserTimeoutMs);
  afterAll(async () => {
    service.stand.workers[0]!.signal("SIGCONT");
    await service[Symbol.asyncDispose]();
  });

  test("decision 0096 states the effort of every measured job", () => {
    expect([...decidedEfforts.keys()].toSorted()).toEqual(Object.keys(jobs).toSorted());
  });

  for (const [name, { authorities = [], prepare, perform }] of Object.entries(jobs))
    test(`the effort of this job is the one that decision 0096 states: ${name}`, async ({ pages }) => {
      const user = await addUser(service, "ann", [...allReportAuthorities, ...authorities]);
      const id = (await prepare?.(user)) ?? "";
      const hands = new InteractionCounter(await pages.openAs(user, "#/reports", { permissions: ["clipboard-write"] }));
      await hands.page.getByRole("heading", { name: "My reports" }).waitFor();
      await perform(hands, user, id);
      expect(hands.effort).toBe(decidedEfforts.get(name));
    });
});
