import { join } from "node:path";
import { createGateway, type Gateway } from "@reports/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, passwordOf, startConsole, type ConsoleUnderTest } from "./console-under-test.ts";

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
});
