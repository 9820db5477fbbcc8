import { newestFirst } from "@reports/core/record";
import {
  readWebhookInput,
  readWebhookPatch,
  webhookFilters,
  webhookLimits,
  webhookSorts,
  type Webhook,
} from "@reports/core/webhook";
import { createdWebhookSchema, webhookInputSchema, webhookPatchSchema, webhookSchema } from "@reports/core/wire";
import { tags } from "../../endpoint/tag.ts";
import type { OwnedCollection } from "../../resource/owned-collection.ts";
import {
  authoritiesToKeep,
  ownedWebhooks,
  rulesFor,
  tooManyWebhooks,
  webhookGone,
  webhookResource,
  webhookValidators,
  type WebhooksDeps,
} from "./webhook-access.ts";
import { newWebhookSecret } from "./webhook-secret.ts";

/** Webhooks, for the caller that created them and for administrators. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export function webhooksCollection(deps: WebhooksDeps): OwnedCollection<Webhook> {
  const { store, lists, seal } = deps.webhooks;
  return {
    name: "webhooks",
    operation: "Webhook",
    tag: tags.webhooks,
    records: ownedWebhooks(deps),
    schema: webhookSchema,
    view: { filters: webhookFilters, sortable: webhookSorts, defaultSort: newestFirst },
    etag: "Changes with every change of the webhook.",
    validatorsOf: webhookValidators,
    show: webhookResource,
    list: {
      summary: "Lists webhooks, newest first",
      description: "The caller's own, for holders of REPORTS_ADMIN everybody's. Link leads to the next page.",
      page: async (query, signal) => lists.webhooks(query, signal),
    },
    read: {
      summary: "Reads a webhook",
      description: "For its owner and holders of REPORTS_ADMIN. Its secret is not shown again.",
    },
    create: {
      summary: "Makes a webhook",
      description:
        "An address that is told of events by signed requests (Standard Webhooks). The answer holds the secret by which the receiver verifies them; it is shown only once.",
      body: {
        schema: webhookInputSchema,
        example: { url: "https://receiver.example.com/hook", events: ["report.succeeded", "report.failed"] },
      },
      answer: { description: "The webhook with its secret.", schema: createdWebhookSchema },
      invalid: "A field is unknown or wrong, or there are as many webhooks as there may be.",
      async apply({ body, principal }) {
        const input = readWebhookInput(body, rulesFor(deps, principal));
        const [id, secret] = [deps.newId(), newWebhookSecret()];
        const sealed = await seal(secret, id);
        const own = { id, owner: principal.id, ownerAuthorities: authoritiesToKeep(principal), secret: sealed };
        const made = await store.create({ ...input, ...own }, webhookLimits);
        if (typeof made === "string") throw tooManyWebhooks(made);
        return { record: made, once: { secret } };
      },
    },
    change: {
      answer: "The whole webhook as it is now.",
      invalid: "A field is unknown or wrong, or there are as many webhooks of everybody's reports as there may be.",
    },
    patch: {
      summary: "Changes, pauses or resumes a webhook",
      description:
        "A JSON merge patch (RFC 7396). `status: PAUSED` keeps what happens waiting, ACTIVE sends it; earlier failures are then forgotten.",
      body: { schema: webhookPatchSchema, example: { status: "ACTIVE" } },
      async apply({ record, principal, body }, precondition) {
        const change = (stored: Webhook) => {
          precondition(stored);
          const fields = readWebhookPatch(body, stored, rulesFor(deps, principal));
          const pausedBecause = fields.status === "ACTIVE" ? null : (stored.pausedBecause ?? "REQUESTED");
          const isOwner = stored.owner === principal.id;
          return { ...fields, pausedBecause, ...(isOwner ? { ownerAuthorities: authoritiesToKeep(principal) } : {}) };
        };
        const changed = await store.change(record.id, change, webhookLimits);
        if (changed === null) throw webhookGone();
        if (typeof changed === "string") throw tooManyWebhooks(changed);
        return { record: changed };
      },
    },
    remove: {
      summary: "Deletes a webhook",
      description: "Nothing is sent any more, what waits neither. Repeating it changes nothing.",
      apply: async ({ id }, precondition) => store.remove(id, precondition),
    },
  };
}
