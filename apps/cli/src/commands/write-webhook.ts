import { webhookEventTypes, webhookFields, webhookFieldTexts, type Webhook, type WebhookPatch } from "@reports/client";
import type { Command, Option } from "commander";
import { hasJsonFlag, type CommandContext } from "../command-context.ts";
import { usageError } from "../command-error.ts";
import { rethrowWithFlagNames } from "../describe-error.ts";
import { createOptionsByField, toFlagNamesByField, toFieldValues } from "../input/options-by-field.ts";
import { resolveWebhookId } from "../input/find-id.ts";
import { createResetOption, toFieldsByFlagName, toResetPatch } from "../input/patch-flags.ts";
import { createRepeatedOption } from "../input/repeated-option.ts";
import { toSafeJson, toSafeText } from "../output/to-safe-text.ts";
import { quoteShellWord } from "../output/shell-word.ts";
import { editRecord } from "./edit-record.ts";

// The flags of the first three fields have other names. The URL is an argument of `create`.
const { events: _, reportTypes: _2, of: _3, url, ...plainFields } = webhookFields;
const plainFlags = createOptionsByField(plainFields, webhookFieldTexts);
const editFlags = createOptionsByField({ url, ...plainFields }, webhookFieldTexts, { isPatch: true });

const namedFlags = { events: "--event", reportTypes: "--type", of: "--all" };
const createFlagNames = { ...namedFlags, ...toFlagNamesByField(plainFlags) };
const editFlagNames = { ...namedFlags, ...toFlagNamesByField(editFlags) };

const resettable = toFieldsByFlagName({ reportTypes: "--type", of: "--all", ...toFlagNamesByField(plainFlags) });

interface WebhookOptions {
  readonly event?: readonly string[];
  readonly type?: readonly string[];
  readonly all?: boolean;
  readonly reset?: readonly string[];
}

export function addCreateWebhookCommand(webhooks: Command, context: CommandContext): void {
  const create = webhooks
    .command("create")
    .description("make a webhook; prints its secret, which is shown only once")
    .argument("<url>", "where events are sent to")
    .addOption(createEventOption(`one of ${webhookEventTypes.join(", ")}; may be repeated`).makeOptionMandatory());
  addScopeFlags(create, Object.values<Option>(plainFlags)).action(
    async (address: string, _: unknown, command: Command) => {
      const given = command.optsWithGlobals<WebhookOptions>();
      const { event = [], type, all } = given;
      const own = { url: address, events: event, reportTypes: type ?? null, of: all === true ? "ALL" : "OWN" };
      const input = { ...toFieldValues(plainFlags, given), ...own };
      const { signal, output } = context;
      const made = await rethrowWithFlagNames(createFlagNames, async () =>
        context.gateway().webhooks.create(input, { signal }),
      );
      output.write(hasJsonFlag(command) ? toSafeJson(made) : toSafeText(made.secret));
      output.say(`The webhook ${toSafeText(made.id)} was created. Keep its secret: it is not shown again.`);
    },
  );
}

export function addEditWebhookCommand(
  edit: Command,
  context: CommandContext,
  show: (changed: Webhook, command: Command) => Promise<void>,
): void {
  edit.addOption(createEventOption("events to send instead of the present ones; may be repeated"));
  addScopeFlags(edit, Object.values<Option>(editFlags))
    .addOption(createResetOption(resettable))
    .action(async (name: string, _: unknown, command: Command) => {
      const patch = readWebhookPatch(command.optsWithGlobals<WebhookOptions>());
      const id = await resolveWebhookId(context, name);
      const { signal } = context;
      const { webhooks } = context.gateway();
      const changed = await rethrowWithFlagNames(editFlagNames, async () =>
        editRecord(
          context,
          {
            what: "webhook",
            showWords: `webhooks get ${quoteShellWord(id)}`,
            read: async () => webhooks.getWithEtag(id, { signal }),
            patch: async (_stored, how) => webhooks.patch(id, patch, { signal, ...how }),
          },
          editFlagNames,
        ),
      );
      await show(changed, command);
    });
}

export function readWebhookPatch(given: WebhookOptions): WebhookPatch {
  const { event, type, all, reset = [] } = given;
  const patch = {
    ...toResetPatch(reset),
    ...toFieldValues(editFlags, given),
    ...(event === undefined ? {} : { events: event }),
    ...(type === undefined ? {} : { reportTypes: type }),
    ...(all === undefined ? {} : { of: "ALL" }),
  };
  if (Object.keys(patch).length === 0)
    throw usageError("There is nothing to change. Give a flag with its new value, or --reset.");
  return patch;
}

function createEventOption(description: string): Option {
  return createRepeatedOption("--event <event>", description);
}

function addScopeFlags(command: Command, others: readonly Option[]): Command {
  command
    .addOption(createRepeatedOption("--type <type>", "report type; may be repeated"))
    .option("--all", "of everybody's reports, for administrators");
  for (const flag of others) command.addOption(flag);
  return command;
}
