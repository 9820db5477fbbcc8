import { deliveryStatuses, webhookStatuses, type Webhook, type WebhookDelivery } from "@reports/client";
import { Option, type Command } from "commander";
import { hasJsonFlag, readOutputFormat, type CommandContext } from "../command-context.ts";
import { resolveEventId, resolveWebhookId } from "../input/find-id.ts";
import { createWebhookIdArgument } from "../input/id-arguments.ts";
import type { TableColumn } from "../output/format-table.ts";
import { toSafeJson, toSafeText } from "../output/to-safe-text.ts";
import { createListLimitOption, writeNewestRecords } from "./newest.ts";
import { addCreateWebhookCommand, addEditWebhookCommand } from "./write-webhook.ts";

const webhookColumns: readonly TableColumn<Webhook>[] = [
  { heading: "ID", text: ({ id }) => id, kind: "id" },
  {
    heading: "STATUS",
    text: ({ status, pausedBecause, failingSince }) => {
      const note = pausedBecause?.code ?? (failingSince === null ? null : "failing");
      return note === null ? status : `${status} (${note})`;
    },
  },
  { heading: "OF", text: (webhook) => webhook.of, spare: 2 },
  { heading: "EVENTS", text: ({ events }) => events.join(","), wrapsTo: 17, spare: 1 },
  { heading: "URL", text: ({ url }) => url, wrapsTo: 15 },
  { heading: "DELIVERED", text: ({ lastDeliveredAt }) => lastDeliveredAt ?? "", kind: "age", spare: 2 },
];

const deliveryColumns: readonly TableColumn<WebhookDelivery>[] = [
  { heading: "EVENT", text: ({ eventId }) => eventId, kind: "id" },
  { heading: "TYPE", text: ({ type }) => type, spare: 2 },
  { heading: "STATUS", text: ({ status }) => status },
  { heading: "ATTEMPTS", text: ({ tries }) => String(tries), align: "right", spare: 3 },
  { heading: "LAST", text: ({ lastStatus, lastErrorCode }) => [lastStatus, lastErrorCode].filter(Boolean).join(" ") },
  { heading: "CREATED", text: ({ createdAt }) => createdAt, kind: "age", spare: 1 },
];

interface ListOptions {
  readonly status?: string;
  readonly limit: number;
}

export function addWebhookCommands(program: Command, context: CommandContext): void {
  const { output, signal } = context;
  const group = program.command("webhooks").description("addresses that receive events");
  const onWebhook = (name: string, description: string): Command =>
    group.command(name).description(description).addArgument(createWebhookIdArgument());
  const find = async (given: string) => resolveWebhookId(context, given);
  const show = async (webhook: Webhook, command: Command): Promise<void> => {
    await output.writeRows([webhook], { columns: webhookColumns, ...readOutputFormat(command) });
    const { pausedBecause } = webhook;
    if (pausedBecause !== null && !hasJsonFlag(command)) output.say(toSafeText(pausedBecause.detail));
  };
  const done = (sentence: string, value: object, command: Command): void => {
    if (hasJsonFlag(command)) output.write(toSafeJson(value));
    output.say(sentence);
  };

  group
    .command("list")
    .description("list webhooks, newest first")
    .addOption(new Option("--status <status>", "only those in this state").choices(webhookStatuses))
    .addOption(createListLimitOption())
    .action(async (_: unknown, command: Command) => {
      const { status, limit } = command.optsWithGlobals<ListOptions>();
      await writeNewestRecords(context, { columns: webhookColumns, ...readOutputFormat(command), limit }, (page) =>
        context.gateway().webhooks.list({ status, ...page }, { signal }),
      );
    });

  addCreateWebhookCommand(group, context);
  addEditWebhookCommand(onWebhook("edit", "change a webhook"), context, show);
  onWebhook("get", "show a webhook").action(async (given: string, _: unknown, command: Command) =>
    show(await context.gateway().webhooks.get(await find(given), { signal }), command),
  );

  onWebhook("test", "send a test event").action(async (given: string, _: unknown, command: Command) => {
    const id = await find(given);
    const delivery = await context.gateway().webhooks.test(id, { signal });
    done(
      `The event ${toSafeText(delivery.eventId)} is queued. See:\n  ${context.name} webhooks deliveries ${toSafeText(id)}`,
      delivery,
      command,
    );
  });

  onWebhook("deliveries", "list what was sent and what waits, newest first")
    .addOption(new Option("--status <status>", "only those in this state").choices(deliveryStatuses))
    .addOption(createListLimitOption())
    .action(async (given: string, _: unknown, command: Command) => {
      const { status, limit } = command.optsWithGlobals<ListOptions>();
      const id = await find(given);
      await writeNewestRecords(context, { columns: deliveryColumns, ...readOutputFormat(command), limit }, (page) =>
        context.gateway().webhooks.deliveries(id, { status, ...page }, { signal }),
      );
    });

  onWebhook("redeliver", "send an event again")
    .argument("<event>", "id of the event, or its last eight characters")
    .action(async (given: string, name: string, _: unknown, command: Command) => {
      const id = await find(given);
      const event = await resolveEventId(context, id, name);
      const delivery = await context.gateway().webhooks.redeliver(id, event, { signal });
      done(`The event ${toSafeText(delivery.eventId)} is queued.`, delivery, command);
    });

  onWebhook("rotate", "give a webhook another secret and print it; the previous one also signs for a day").action(
    async (given: string, _: unknown, command: Command) => {
      const rotated = await context.gateway().webhooks.rotateSecret(await find(given), { signal });
      output.write(hasJsonFlag(command) ? toSafeJson(rotated) : toSafeText(rotated.secret));
      output.say(`The previous secret also signs until ${toSafeText(rotated.previousSecretEndsAt)}.`);
    },
  );

  onWebhook("pause", "send nothing; events wait until it is resumed").action(
    async (given: string, _: unknown, command: Command) => {
      done("The webhook is paused.", await context.gateway().webhooks.pause(await find(given), { signal }), command);
    },
  );

  onWebhook("resume", "send what waits").action(async (given: string, _: unknown, command: Command) => {
    done("The webhook is active.", await context.gateway().webhooks.resume(await find(given), { signal }), command);
  });

  onWebhook("delete", "delete a webhook, with what waits for it").action(async (given: string) => {
    await context.gateway().webhooks.remove(await find(given), { signal });
    output.say("The webhook is deleted.");
  });
}
