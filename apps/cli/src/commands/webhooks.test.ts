import { verifyWebhook } from "@reports/client";
import { isFullTestRun, startWebhookReceiver, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConfiguredGateway } from "../connection.ts";
import { getSharedCliService, serviceTimeoutMs, type CliService } from "../test/cli-service.ts";
import { createCommandsUnderTest, type CommandsUnderTest } from "../test/commands-under-test.ts";

let service: CliService;
let commands: CommandsUnderTest;

describe.concurrent("commands of webhooks", { timeout: serviceTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedCliService();
    commands = createCommandsUnderTest(service);
  }, serviceTimeoutMs);
  afterAll(() => commands[Symbol.dispose]());

  test("webhook events are signed with the secrets that `create` and `rotate` print", async () => {
    await using receiver = await startWebhookReceiver(service.receiverPort);
    const { received } = receiver;
    const url = `${receiver.origin}/hook`;
    // With REPORTS_ADMIN, the caller would also see the webhooks of concurrent tests.
    const environment = commands.newCaller(["REPORT_PROXY", "WEBHOOKS_WRITE"]);
    const run = async (...words: string[]) => commands.pipe(["webhooks", ...words], environment).ended;
    const { webhooks } = createConfiguredGateway(environment, fetch);
    const made = await run("create", url, "--event", "report.succeeded", "--type", "PROXY");
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("Keep its secret") });
    const id = /webhook ([0-9a-f-]{36}) was created/.exec(made.err)![1]!;
    expect((await run("list", "--status", "ACTIVE")).out).toBe(`${id}\tACTIVE\tOWN\treport.succeeded\t${url}\t\n`);
    const edits = ["edit", id.slice(-8), "--event", "report.succeeded", "--event", "report.failed", "--reset", "type"];
    expect(await run(...edits)).toMatchObject({
      out: `${id}\tACTIVE\tOWN\treport.succeeded,report.failed\t${url}\t\n`,
      err: "--event: report.succeeded → report.succeeded,report.failed\n--type: PROXY → none\n",
    });
    expect((await run("test", id)).err).toContain(`webhooks deliveries ${id}`);
    await waitFor(() => received.length === 1, { what: "the test event" });
    expect(await verifyWebhook(received[0]!, { secret: made.out.trim() })).toMatchObject({ type: "webhook.test" });
    const eventId = String(received[0]!.headers["webhook-id"]);
    const delivered = async () => (await Array.fromAsync(webhooks.deliveries(id, { status: "DELIVERED" }))).length > 0;
    await waitFor(delivered, { what: "the delivery" });
    const sent = await run("deliveries", id, "--status", "DELIVERED");
    expect(sent.out).toContain(`${eventId}\twebhook.test\tDELIVERED\t1\t204\t`);
    const rotated = await run("rotate", id);
    expect((await run("redeliver", id, eventId.slice(-8))).err).toBe(`The event ${eventId} is queued.\n`);
    await waitFor(() => received.length === 2, { what: "the event to be sent again" });
    for (const { out } of [made, rotated])
      expect(await verifyWebhook(received[1]!, { secret: out.trim() })).toMatchObject({ type: "webhook.test" });
    expect(await run("delete", id)).toMatchObject({ code: 0, out: "" });
  });

  // In every run, schedules.test.ts pauses a schedule, exit-codes.test.ts tests refusals, and the test before this one uses webhooks.
  // The two tests run one after another, because their receivers use the same port.
  test(
    "a paused webhook gets its events after `resume`; wrong flags fail",
    { skip: !isFullTestRun, concurrent: false },
    async () => {
      await using receiver = await startWebhookReceiver(service.receiverPort);
      const { received } = receiver;
      const url = `${receiver.origin}/hook`;
      const environment = commands.newCaller(["REPORT_PROXY", "WEBHOOKS_WRITE"]);
      const run = async (...words: string[]) => commands.pipe(["webhooks", ...words], environment).ended;
      const { webhooks } = createConfiguredGateway(environment, fetch);
      const made = await run("create", url, "--event", "report.succeeded", "--json");
      const { id, secret } = JSON.parse(made.out) as { id: string; secret: string };
      const wrong = await run("edit", id, "--url", "https://10.0.0.1/");
      expect(wrong).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^ *--url: /m) });
      expect((await run("edit", id)).err).toContain("There is nothing to change.");
      expect((await run("deliveries", id, "--headings")).out).toMatch(/^EVENT\tTYPE\tSTATUS\tATTEMPTS\t/);
      const { eventId } = await webhooks.test(id);
      const delivered = async () =>
        (await Array.fromAsync(webhooks.deliveries(id, { status: "DELIVERED" }))).length > 0;
      await waitFor(delivered, { what: "the delivery" });
      expect(await run("pause", id)).toMatchObject({ code: 0, err: "The webhook is paused.\n" });
      expect((await run("redeliver", id, eventId.slice(-8))).err).toBe(`The event ${eventId} is queued.\n`);
      const rotated = await run("rotate", id);
      expect((await run("list", "--status", "PAUSED")).out).toContain(`${id}\tPAUSED (REQUESTED)\t`);
      expect(await run("get", id)).toMatchObject({
        out: expect.stringContaining("\tPAUSED"),
        err: expect.stringMatching(/./),
      });
      expect(received).toHaveLength(1);
      expect((await run("resume", id)).code).toBe(0);
      await waitFor(() => received.length === 2, { what: "the event to be sent again" });
      for (const each of [secret, rotated.out.trim()])
        expect(await verifyWebhook(received[1]!, { secret: each })).toMatchObject({ type: "webhook.test" });
      expect(await run("delete", id)).toMatchObject({ code: 0, out: "" });
      const codes = [
        run("test", id),
        run("create", "https://10.0.0.1/", "--event", "report.failed"),
        run("create", url),
      ];
      expect((await Promise.all(codes)).map(({ code }) => code)).toEqual([4, 2, 2]);
    },
  );

  // In every run, newest.test.ts tests the message, and schedules.test.ts prints it.
  test.runIf(isFullTestRun)("lists of webhooks and deliveries print a message if they omit records", async () => {
    const environment = commands.newCaller();
    const run = async (...words: string[]) => commands.pipe(words, environment).ended;
    const { webhooks } = createConfiguredGateway(environment, fetch);
    const url = "http://127.0.0.1:2/";
    await webhooks.create({ url, events: ["report.failed"] });
    const made = await run("webhooks", "create", url, "--event", "report.failed", "--json");
    const { id } = JSON.parse(made.out) as { id: string };
    for (let event = 0; event < 2; event++) await webhooks.test(id);
    for (const list of [["list"], ["deliveries", id]]) {
      const { out, err } = await run("webhooks", ...list, "--limit", "1");
      expect(out.trim().split("\n")).toHaveLength(1);
      expect(err).toBe("These are the newest 1; --limit all lists all.\n");
    }
  });
});
