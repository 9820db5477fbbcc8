import { newestFirstSort } from "@reports/core/record";
import {
  readWebhookInput,
  readWebhookPatch,
  webhookFilters,
  webhookLimits,
  webhookSortFields,
  type Webhook,
} from "@reports/core/webhook";
import { createdWebhookSchema, webhookInputSchema, webhookPatchSchema, webhookSchema } from "@reports/core/wire";
import { openApiTags } from "../../endpoint/open-api-tag.ts";
import type { OwnedCollection } from "../../resource/owned-collection.ts";
import {
  selectAuthoritiesToStore,
  defineWebhookRecordKind,
  createWebhookRules,
  tooManyWebhooksError,
  webhookDeletedError,
  toWebhookResource,
  toWebhookValidators,
  type WebhooksDeps,
} from "./webhook-access.ts";
import { createWebhookSecret } from "./webhook-secret.ts";

export function webhooksCollection(deps: WebhooksDeps): OwnedCollection<Webhook> {
  const { store, lists, seal } = deps.webhooks;
  return {
    name: "webhooks",
    operation: "Webhook",
    tag: openApiTags.webhooks,
    records: defineWebhookRecordKind(deps),
    schema: webhookSchema,
    view: { filters: webhookFilters, sortable: webhookSortFields, defaultSort: newestFirstSort },
    etag: "Changes with every change of the webhook, and with lastDeliveredAt and failingSince.",
    toValidators: toWebhookValidators,
    show: toWebhookResource,
    list: {
      summary: "Lists webhooks, newest first",
      description: "The caller's own; holders of REPORTS_ADMIN get those of all owners. Link leads to the next page.",
      page: async (query, signal) => lists.webhooks(query, signal),
    },
    read: {
      summary: "Reads a webhook",
      description: "For its owner and holders of REPORTS_ADMIN. Its secret is not shown again.",
    },
    create: {
      summary: "Makes a webhook",
      description:
        "An address that receives events as signed requests (Standard Webhooks). The response holds the secret by which the receiver verifies them. It is shown only once.",
      body: {
        schema: webhookInputSchema,
        example: { url: "https://receiver.example.com/hook", events: ["report.succeeded", "report.failed"] },
      },
      answer: { description: "The webhook with its secret.", schema: createdWebhookSchema },
      invalid: "A field is unknown or wrong, or the limit of webhooks is reached.",
      async apply({ body, principal }) {
        const input = readWebhookInput(body, createWebhookRules(deps, principal));
        const [id, secret] = [deps.newId(), createWebhookSecret()];
        const sealed = await seal(secret, id);
        const own = { id, owner: principal.id, ownerAuthorities: selectAuthoritiesToStore(principal), secret: sealed };
        const made = await store.create({ ...input, ...own }, webhookLimits);
        if (typeof made === "string") throw tooManyWebhooksError(made);
        return { record: made, shownOnce: { secret } };
      },
    },
    change: {
      answer: "The whole webhook as it is now.",
      invalid: "A field is unknown or wrong, or the limit of webhooks for the reports of all callers is reached.",
    },
    patch: {
      summary: "Changes, pauses or resumes a webhook",
      description:
        "A JSON merge patch (RFC 7396). `status: PAUSED` keeps events waiting. `ACTIVE` sends them and resets the count of failures.",
      body: { schema: webhookPatchSchema, example: { status: "ACTIVE" } },
      async apply({ record, principal, body }, precondition) {
        const change = (stored: Webhook) => {
          precondition(stored);
          const fields = readWebhookPatch(body, stored, createWebhookRules(deps, principal));
          const pausedBecause = fields.status === "ACTIVE" ? null : (stored.pausedBecause ?? "REQUESTED");
          const isOwner = stored.owner === principal.id;
          return {
            ...fields,
            pausedBecause,
            ...(isOwner ? { ownerAuthorities: selectAuthoritiesToStore(principal) } : {}),
          };
        };
        const changed = await store.change(record.id, change, webhookLimits);
        if (changed === null) throw webhookDeletedError();
        if (typeof changed === "string") throw tooManyWebhooksError(changed);
        return { record: changed };
      },
    },
    remove: {
      summary: "Deletes a webhook",
      description: "Nothing more is sent, waiting deliveries included. A repeated request changes nothing.",
      apply: async ({ id }, precondition) => store.remove(id, precondition),
    },
  };
}
