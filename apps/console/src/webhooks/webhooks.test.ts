import { verifyWebhook } from "@reports/client";
import { isFullTestRun, startWebhookReceiver, waitFor } from "@reports/testing";
import { beforeAll, describe, expect } from "vitest";
import { addUser, allReportAuthorities } from "../test/add-user.ts";
import { browserTimeoutMs, hasChromium, test } from "../test/browser-test.ts";
import { getSharedService, type SharedService } from "../test/console-service.ts";
import { findAccessibilityViolations } from "../test/page-violations.ts";
import { seeToast } from "../test/see-toast.ts";

const hostilePath = "/hook?of=<img/src=x/onerror='window.harmed=1'>\u202Emoc\u202D";
const harm = "[window.harmed, document.images.length]";
let service: SharedService;

// The tests run one after another, because their receivers use the same port.
describe.skipIf(!hasChromium)("webhooks in the console", { timeout: browserTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedService();
  }, browserTimeoutMs);

  test("a user can create, test, pause and delete a webhook", async ({ pages }) => {
    const hooks = await addUser(service, "hooks", [...allReportAuthorities, "WEBHOOKS_WRITE"]);
    await using receiver = await startWebhookReceiver(service.receiverPorts.webhooks);
    const url = `${receiver.origin}${hostilePath}`;
    const page = await pages.openAs(hooks, "#/webhooks");
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "New webhook" }).click();
    const address = page.getByLabel("Address");
    await address.fill("http://10.0.0.1/");
    await page.getByRole("button", { name: "Create the webhook" }).click();
    await waitFor(async () => (await address.getAttribute("aria-invalid")) === "true", { what: "it to be marked" });
    await address.fill(url);
    await page.getByText("Report cancelled").click();
    await page.getByRole("button", { name: "Create the webhook" }).click();
    const secretDialog = page.getByRole("dialog", { name: "The webhook’s secret" });
    const secret = (await secretDialog.locator("code").textContent())!;
    expect(secret).toMatch(/^whsec_/);
    // The Escape key does not close the dialog, because the secret is never shown again.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await secretDialog.locator("code").textContent()).toBe(secret);
    await secretDialog.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("heading", { name: "Nothing has been sent yet" }).waitFor();
    const id = page.url().split("/").at(-1)!;
    expect(await page.content()).not.toContain(secret);
    expect(await hooks.gateway.webhooks.get(id)).toMatchObject({
      url: new URL(url).href,
      events: ["report.succeeded", "report.failed", "report.cancelled"],
      reportTypes: null,
      of: "OWN",
    });

    await page.getByRole("button", { name: "Send a test" }).click();
    const tests = page.getByRole("row", { name: /Test/ });
    await tests.getByText("Delivered").waitFor();
    expect(await verifyWebhook(receiver.received[0]!, { secret })).toMatchObject({ data: { webhookId: id } });
    await page.getByRole("link", { name: "Webhooks" }).click();
    const row = page.getByRole("row", { name: /Report succeeded, Report failed/ });
    await row.getByRole("button", { name: /^Pause/ }).click();
    await row.getByText("Paused", { exact: true }).waitFor();
    expect((await hooks.gateway.webhooks.get(id)).status).toBe("PAUSED");
    await row.getByRole("button", { name: /^Resume/ }).click();
    await row.getByText("Active", { exact: true }).waitFor();
    await row.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    expect(await page.evaluate(harm)).toEqual([undefined, 0]);
  });

  // In every run, every-page.test.ts rotates a secret, and schedules.test.ts saves changes after a conflict.
  test(
    "a user can redeliver an event, change the webhook and rotate its secret",
    { skip: !isFullTestRun },
    async ({ pages }) => {
      const hooks = await addUser(service, "hooks", [...allReportAuthorities, "WEBHOOKS_WRITE"]);
      await using receiver = await startWebhookReceiver(service.receiverPorts.webhooks);
      const url = `${receiver.origin}${hostilePath}`;
      const { id, secret } = await hooks.gateway.webhooks.create({
        url,
        events: ["report.succeeded", "report.failed", "report.cancelled"],
      });
      const page = await pages.openAs(hooks, `#/webhooks/${id}`);
      const secretDialog = page.getByRole("dialog", { name: "The webhook’s secret" });
      await page.getByRole("button", { name: "Send a test" }).click();
      const tests = page.getByRole("row", { name: /Test/ });
      await tests.getByText("Delivered").waitFor();
      await tests.getByText("Details").click();
      await tests.getByText(`POST ${new URL(url).href}`).waitFor();
      // After this failure, the service would wait for about five seconds. The button "Send now" sends without waiting.
      receiver.answerOnceWith(500);
      await page.getByRole("button", { name: /^Send again: Test/ }).click();
      await tests.getByText("answered 500").waitFor();
      await tests.getByText("Bad status").waitFor();
      await page.getByRole("button", { name: /^Send now: Test/ }).click();
      receiver.answerWith(204);
      await tests.getByText("Delivered").waitFor();
      expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);

      await page.getByRole("link", { name: /^Change:/ }).click();
      await page.getByText("Report cancelled").click();
      await hooks.gateway.webhooks.patch(id, { reportTypes: ["PROXY"] });
      await page.getByRole("button", { name: "Save the changes" }).click();
      await page.getByText("Report types: All became PROXY").waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await seeToast(page, "Webhook saved.", async () =>
        page.getByRole("button", { name: "Save the changes" }).click(),
      );
      expect(await hooks.gateway.webhooks.get(id)).toMatchObject({
        url: new URL(url).href,
        events: ["report.succeeded", "report.failed"],
        reportTypes: ["PROXY"],
      });

      await page.getByRole("button", { name: "Rotate the secret" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
      await secretDialog.getByText("The previous secret also signs until").waitFor();
      const other = (await secretDialog.locator("code").textContent())!;
      await secretDialog.getByRole("button", { name: "I have stored it" }).click();
      // A delivery whose next attempt is overdue is shown as due.
      await page.route("**/deliveries?*", async (route) => {
        const response = await route.fetch();
        // A busy API can refuse a list. The page then requests it again.
        if (!response.ok()) return route.fulfill({ response });
        const deliveries = (await response.json()) as readonly object[];
        const overdue = { status: "PENDING", tries: 0, endedAt: null, nextTryAt: "2026-01-01T00:00:00.000Z" };
        return route.fulfill({ response, json: deliveries.map((each) => ({ ...each, ...overdue })) });
      });
      const before = receiver.received.length;
      await page.getByRole("button", { name: "Send a test" }).click();
      await waitFor(() => receiver.received.length > before, { what: "another test", timeoutMs: 60_000 });
      const signed = await Promise.all(
        [secret, other].map(async (one) => verifyWebhook(receiver.received.at(-1)!, { secret: one })),
      );
      expect(signed.map(({ type }) => type)).toEqual(["webhook.test", "webhook.test"]);

      await tests.first().getByRole("cell", { name: "due", exact: true }).waitFor();
      expect(await page.getByRole("columnheader").allTextContents()).toEqual([
        "Event",
        "State",
        "Attempts",
        "Happened",
        "Next attempt",
        "Actions",
      ]);
      expect(await page.evaluate(harm)).toEqual([undefined, 0]);
    },
  );
});
