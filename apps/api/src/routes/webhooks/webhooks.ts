import { WEBHOOKS_WRITE } from "@reports/auth";
import { mergePatchTypes } from "@reports/core/base";
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
import { defineEndpoint, problems } from "../../endpoint/endpoint.ts";
import type { Endpoint } from "../../endpoint/endpoint.ts";
import { ownerScope } from "../../endpoint/owned-records.ts";
import { tags } from "../../endpoint/tag.ts";
import {
  failedRead,
  failedWrite,
  isCurrent,
  readConditions,
  refuseMalformedConditions,
  refuseUnlessCurrent,
  writeConditions,
} from "../../http/precondition.ts";
import { defineListQuery, listNamesOf } from "../../resource/list-query.ts";
import { listReply, listResponse } from "../../resource/list-reply.ts";
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

const path = "/v1/webhooks";
const access = { kind: "authority", authority: WEBHOOKS_WRITE } as const;
const noStore = { "Cache-Control": "no-store" };
const recordHeaders = { ETag: "Changes with every change of the webhook.", "Cache-Control": "private, no-cache" };
const view = { filters: webhookFilters, sortable: webhookSorts, defaultSort: newestFirst };
const listQuery = defineListQuery(view, "Webhooks");
const example = { url: "https://receiver.example.com/hook", events: ["report.succeeded", "report.failed"] };

/** `GET /v1/webhooks`. docs/contract.md §9.1. */
export function listWebhooksEndpoint(deps: WebhooksDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path,
    operationId: "listWebhooks",
    summary: "Lists webhooks, newest first",
    description: "The caller's own, for holders of REPORTS_ADMIN everybody's. Link leads to the next page.",
    tag: tags.webhooks,
    access,
    query: listQuery.schema,
    list: listNamesOf(view),
    readQuery: ({ pairs }) => listQuery.read(path, pairs, deps.now()),
    produces: ["application/json"],
    responses: {
      200: listResponse(webhookSchema, "The webhooks."),
      ...problems({
        400: "A parameter is unknown, repeated or wrong, or the cursor belongs to another list.",
        503: "The list takes too long, or the database cannot be reached.",
      }),
    },
    async handle({ query: { scope, ...query }, principal, signal }) {
      const page = await deps.lists.run(principal.id, signal, async () =>
        deps.webhooks.lists.webhooks({ ...query, owner: ownerScope(principal) }, signal),
      );
      return listReply(page, { scope, basePath: deps.basePath }, webhookResource);
    },
  });
}

/** `POST /v1/webhooks`. docs/contract.md §9.1. */
export function createWebhookEndpoint(deps: WebhooksDeps): Endpoint {
  return defineEndpoint({
    method: "POST",
    path,
    operationId: "createWebhook",
    summary: "Makes a webhook",
    description:
      "An address that is told of events by signed requests (Standard Webhooks). The answer holds the secret by which the receiver verifies them; it is shown only once.",
    tag: tags.webhooks,
    access,
    audit: { recordType: "webhook", verb: "create" },
    body: { mediaTypes: ["application/json"], schema: webhookInputSchema, example },
    produces: ["application/json"],
    responses: {
      201: {
        kind: "json",
        description: "The webhook with its secret.",
        schema: createdWebhookSchema,
        headers: { ...noStore, Location: "The new webhook.", ETag: recordHeaders.ETag },
      },
      ...problems({ 422: "A field is unknown or wrong, or there are as many webhooks as there may be." }),
    },
    async handle({ body, principal }) {
      const input = readWebhookInput(body, rulesFor(deps, principal));
      const [id, secret] = [deps.newId(), newWebhookSecret()];
      const sealed = await deps.webhooks.seal(secret, id);
      const own = { id, owner: principal.id, ownerAuthorities: authoritiesToKeep(principal), secret: sealed };
      const made = await deps.webhooks.store.create({ ...input, ...own }, webhookLimits);
      if (typeof made === "string") throw tooManyWebhooks(made);
      return {
        status: 201,
        headers: { ...noStore, Location: `${deps.basePath}${path}/${id}`, ETag: webhookValidators(made).etag },
        body: { kind: "json", value: { ...webhookResource(made), secret } },
        audit: { recordId: id },
      };
    },
  });
}

/** `GET /v1/webhooks/{id}`. docs/contract.md §9.1. */
export function readWebhookEndpoint(deps: WebhooksDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: `${path}/{id}`,
    operationId: "readWebhook",
    summary: "Reads a webhook",
    description: "For its owner and holders of REPORTS_ADMIN. Its secret is not shown again.",
    tag: tags.webhooks,
    access: { kind: "record", of: ownedWebhooks(deps) },
    headers: readConditions,
    produces: ["application/json"],
    responses: {
      200: { kind: "json", description: "The webhook.", schema: webhookSchema, headers: recordHeaders },
      304: { kind: "empty", description: "It has not changed.", headers: recordHeaders },
      ...problems(failedRead),
    },
    async handle(input) {
      const reply = webhookReply(200, input.record);
      const isKnown = isCurrent(input, webhookValidators(input.record));
      return isKnown ? { ...reply, status: 304, body: { kind: "empty" } } : reply;
    },
  });
}

/** `PATCH /v1/webhooks/{id}`. docs/contract.md §9.1. */
export function patchWebhookEndpoint(deps: WebhooksDeps): Endpoint {
  return defineEndpoint({
    method: "PATCH",
    path: `${path}/{id}`,
    operationId: "patchWebhook",
    summary: "Changes, pauses or resumes a webhook",
    description:
      "A JSON merge patch (RFC 7396). `status: PAUSED` keeps what happens waiting, ACTIVE sends it; earlier failures are then forgotten.",
    tag: tags.webhooks,
    access: { kind: "record", of: ownedWebhooks(deps) },
    audit: { recordType: "webhook", verb: "patch" },
    headers: writeConditions,
    checkRequest: refuseMalformedConditions,
    body: { mediaTypes: mergePatchTypes, schema: webhookPatchSchema, example: { status: "ACTIVE" } },
    produces: ["application/json"],
    responses: {
      201: {
        kind: "json",
        description: "The whole webhook as it is now.",
        schema: webhookSchema,
        headers: recordHeaders,
      },
      ...problems({
        ...failedWrite,
        422: "A field is unknown or wrong, or there are as many webhooks of everybody's reports as there may be.",
      }),
    },
    async handle(input) {
      const { record, principal, body } = input;
      const change = (stored: Webhook) => {
        refuseUnlessCurrent(input, webhookValidators(stored));
        const fields = readWebhookPatch(body, stored, rulesFor(deps, principal));
        const pausedBecause = fields.status === "ACTIVE" ? null : (stored.pausedBecause ?? "REQUESTED");
        const isOwner = stored.owner === principal.id;
        return { ...fields, pausedBecause, ...(isOwner ? { ownerAuthorities: authoritiesToKeep(principal) } : {}) };
      };
      const changed = await deps.webhooks.store.change(record.id, change, webhookLimits);
      if (changed === null) throw webhookGone();
      if (typeof changed === "string") throw tooManyWebhooks(changed);
      return webhookReply(201, changed);
    },
  });
}

/** `DELETE /v1/webhooks/{id}`. docs/contract.md §9.1. */
export function deleteWebhookEndpoint(deps: WebhooksDeps): Endpoint {
  return defineEndpoint({
    method: "DELETE",
    path: `${path}/{id}`,
    operationId: "deleteWebhook",
    summary: "Deletes a webhook",
    description: "Nothing is sent any more, what waits neither. Repeating it changes nothing.",
    tag: tags.webhooks,
    access: { kind: "record", of: ownedWebhooks(deps), takesDeleted: true },
    audit: { recordType: "webhook", verb: "delete" },
    headers: writeConditions,
    checkRequest: refuseMalformedConditions,
    produces: [],
    responses: {
      204: { kind: "empty", description: "It is deleted, now or already." },
      ...problems(failedWrite),
    },
    async handle(input) {
      await deps.webhooks.store.remove(input.record.id, (stored) =>
        refuseUnlessCurrent(input, webhookValidators(stored)),
      );
      return { status: 204, body: { kind: "empty" } };
    },
  });
}

function webhookReply(status: number, webhook: Webhook) {
  return {
    status,
    headers: { ETag: webhookValidators(webhook).etag, "Cache-Control": recordHeaders["Cache-Control"] },
    body: { kind: "json", value: webhookResource(webhook) },
  } as const;
}
