import {
  deliveryFilters,
  deliverySortFields,
  maxEarlierWebhookSecrets,
  maxWaitingDeliveriesPerWebhook,
  webhookSecretOverlapMs,
  webhookTestEventType,
  webhookNotFoundError,
  type WebhookDelivery,
} from "@reports/core/webhook";
import { invalidInputError, isJsonObject, notAnObjectIssue, type InputIssue } from "@reports/core/base";
import { newestFirstSort } from "@reports/core/record";
import { RateLimitedError } from "@reports/core/caller";
import { idField } from "@reports/core/query";
import {
  deliveryInputSchema,
  rotatedSecretSchema,
  rotateSecretSchema,
  webhookDeliverySchema,
} from "@reports/core/wire";
import { isUuidV7 } from "@reports/runtime";
import { z } from "zod";
import { defineEndpoint, replyJson, describeJson, describeProblems, type Endpoint } from "../../endpoint/endpoint.ts";
import { openApiTags } from "../../endpoint/open-api-tag.ts";
import { defineListQuery } from "../../resource/list-query-parser.ts";
import { createListReply, describeList } from "../../resource/create-list-reply.ts";
import {
  toDeliveryResource,
  toDeliveryVisibilityFilter,
  defineWebhookRecordKind,
  webhookDeletedError,
  type WebhooksDeps,
} from "./webhook-access.ts";
import { createWebhookSecret } from "./webhook-secret.ts";

const path = "/v1/webhooks/{id}/deliveries";
const listView = { filters: deliveryFilters, sortable: deliverySortFields, defaultSort: newestFirstSort };
const listQuery = defineListQuery(listView, "WebhookDeliveries");

export function listDeliveriesEndpoint(deps: WebhooksDeps): Endpoint {
  return defineEndpoint({
    ...describeList(listView, listQuery, webhookDeliverySchema, "The deliveries."),
    path,
    operationId: "listWebhookDeliveries",
    summary: "Lists deliveries of a webhook, newest first",
    description:
      "Waiting, delivered and failed deliveries, with the last status or error. Deliveries about reports or schedules that the caller may not see are left out. Link leads to the next page.",
    tag: openApiTags.webhooks,
    access: { kind: "record", of: defineWebhookRecordKind(deps) },
    readQuery: ({ pairs, params: { id = "" } }) => listQuery.read(path.replace("{id}", id), pairs, deps.now()),
    async handle({ query: { scope, ...query }, record: { id: webhookId }, principal, signal }) {
      const page = await deps.lists.run(principal.id, signal, async () =>
        deps.webhooks.lists.deliveries(
          { ...query, webhookId, visible: toDeliveryVisibilityFilter(deps, principal) },
          signal,
        ),
      );
      return createListReply(page, { scope, basePath: deps.basePath }, toDeliveryResource);
    },
  });
}

export function readDeliveryEndpoint(deps: WebhooksDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: `${path}/{deliveryId}`,
    operationId: "readWebhookDelivery",
    summary: "Reads a delivery",
    description: "One event for one webhook.",
    tag: openApiTags.webhooks,
    access: { kind: "record", of: defineWebhookRecordKind(deps) },
    params: z.object({ deliveryId: idField("Id of the delivery.") }),
    responses: {
      200: describeJson("The delivery.", webhookDeliverySchema),
    },
    async handle({ record: webhook, principal, params: { deliveryId = "" } }) {
      const visible = toDeliveryVisibilityFilter(deps, principal);
      const found = isUuidV7(deliveryId)
        ? await deps.webhooks.store.findDelivery(webhook.id, deliveryId, visible)
        : null;
      if (found === null) throw webhookNotFoundError();
      return deliveryReply(200, found);
    },
  });
}

export function redeliverOrTestEndpoint(deps: WebhooksDeps): Endpoint {
  return defineEndpoint({
    method: "POST",
    path,
    operationId: "createWebhookDelivery",
    summary: "Delivers an event again, or sends a test",
    description:
      "With eventId, the delivery of that event is queued again and its attempts start from the beginning. With type webhook.test, a test event is sent to this webhook only.",
    tag: openApiTags.webhooks,
    access: { kind: "record", of: defineWebhookRecordKind(deps) },
    audit: { recordType: "webhook", verb: "deliver" },
    body: { mediaTypes: ["application/json"], schema: deliveryInputSchema, example: { type: webhookTestEventType } },
    responses: {
      202: describeJson("The delivery, which waits.", webhookDeliverySchema),
      ...describeProblems({
        422: "The body is wrong, this webhook has no delivery of the event, or too many deliveries are waiting for it.",
      }),
    },
    async handle({ record: webhook, principal, body }) {
      const eventId = readDeliveryInput(body);
      if (eventId === null) {
        const test = { id: deps.newId(), eventId: deps.newId() };
        return deliveryReply(202, refuseTooMany(await deps.webhooks.store.addTest(webhook.id, test)));
      }
      const visible = toDeliveryVisibilityFilter(deps, principal);
      const again = isUuidV7(eventId) ? await deps.webhooks.store.redeliver(webhook.id, eventId, visible) : null;
      if (again === null) {
        const message = "eventId must be the ID of an event that was delivered to this webhook.";
        throw invalidBodyError([{ pointer: "/eventId", code: "invalid_value", message }]);
      }
      return deliveryReply(202, refuseTooMany(again));
    },
  });
}

export function rotateWebhookSecretEndpoint(deps: WebhooksDeps): Endpoint {
  return defineEndpoint({
    method: "POST",
    path: "/v1/webhooks/{id}/secrets",
    operationId: "rotateWebhookSecret",
    summary: "Gives a webhook another secret",
    description:
      "The secret is shown only in this response. The previous secret signs for another 24 hours, and earlier ones until the times that their responses gave. At most 4 earlier secrets sign; a further rotation is 429 `too-many-secrets`.",
    tag: openApiTags.webhooks,
    access: { kind: "record", of: defineWebhookRecordKind(deps) },
    audit: { recordType: "webhook", verb: "rotate" },
    body: { mediaTypes: ["application/json"], schema: rotateSecretSchema, example: {}, isOptional: true },
    responses: {
      201: describeJson("The new secret.", rotatedSecretSchema),
      ...describeProblems({ 422: "The body is not an empty object." }),
    },
    async handle({ record: webhook, body }) {
      if (!isJsonObject(body)) throw invalidBodyError([notAnObjectIssue]);
      refuseUnknownFields(body, []);
      const secret = createWebhookSecret();
      const sealed = await deps.webhooks.seal(secret, webhook.id);
      const rotated = await deps.webhooks.store.rotate(webhook.id, sealed, webhookSecretOverlapMs);
      if (rotated === null) throw webhookDeletedError();
      if ("refusal" in rotated) throw tooManySecretsError(rotated.retryInMs);
      return replyJson({ secret, previousSecretEndsAt: rotated.endsAt.toISOString() }, 201);
    },
  });
}

function readDeliveryInput(body: unknown): string | null {
  if (!isJsonObject(body)) throw invalidBodyError([notAnObjectIssue]);
  const { eventId, type } = body;
  const given = deliveryInputSchema.safeParse(body);
  if (given.success) return "eventId" in given.data ? given.data.eventId : null;
  refuseUnknownFields(body, ["eventId", "type"]);
  const message = `The body must hold either eventId, the ID of an event that was delivered to this webhook, or type, which must be ${webhookTestEventType}.`;
  const pointer = eventId === undefined ? "/type" : type === undefined ? "/eventId" : "";
  throw invalidBodyError([{ pointer, code: "invalid_value", message }]);
}

function refuseUnknownFields(body: Readonly<Record<string, unknown>>, allowed: readonly string[]): void {
  const issues = Object.keys(body)
    .filter((name) => !allowed.includes(name))
    .map((name) => ({
      pointer: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      code: "unknown_field",
      message: `${JSON.stringify(name.slice(0, 60))} is not a field of this body. Allowed: ${allowed.join(", ") || "none"}.`,
    }));
  if (issues.length > 0) throw invalidBodyError(issues);
}

function refuseTooMany(delivery: WebhookDelivery | "too-many"): WebhookDelivery {
  if (delivery !== "too-many") return delivery;
  const waiting = maxWaitingDeliveriesPerWebhook.toLocaleString("en");
  const message = `${waiting} deliveries wait for this webhook already: try again once its receiver has taken some of them.`;
  throw invalidBodyError([{ pointer: "", code: "too_many", message }]);
}

function tooManySecretsError(retryInMs: number): RateLimitedError {
  const message = `${maxEarlierWebhookSecrets} earlier secrets of this webhook still sign until the times that were promised. Use the newest secret, or try again once one of them has ended.`;
  const retryAfterSeconds = Math.ceil(retryInMs / 1000);
  const quota = { name: "secrets", limit: maxEarlierWebhookSecrets, remaining: 0, windowSeconds: null };
  return new RateLimitedError("too-many-secrets", message, {
    retryAfterSeconds,
    quotas: [{ ...quota, resetSeconds: retryAfterSeconds }],
  });
}

function invalidBodyError(issues: readonly InputIssue[]) {
  return invalidInputError("invalid", "invalid-record", "The body is not valid", issues);
}

function deliveryReply(status: number, delivery: WebhookDelivery) {
  return replyJson(toDeliveryResource(delivery), status);
}
