import { z } from "zod";
import { idField } from "../query/id-field.ts";
import type { webhookDeliverySchema } from "./delivery-record.ts";
import { webhookRecord } from "./webhook-record.ts";
import { webhookTestEventType } from "./webhook-values.ts";

const timeSchema = (description: string) => z.iso.datetime().meta({ description });

/** The request body that creates a webhook, which starts as ACTIVE. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export const webhookInputSchema = webhookRecord.input.omit({ status: true }).meta({ id: "WebhookInput" });
/** The request body that creates a webhook. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export type WebhookInput = z.input<typeof webhookInputSchema>;

/** A merge patch of a webhook. Null resets a field to its default. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export const webhookPatchSchema = webhookRecord.patch.meta({ id: "WebhookPatch" });
/** A merge patch of a webhook. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export type WebhookPatch = z.input<typeof webhookPatchSchema>;

/** A webhook as callers see it. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export const webhookSchema = webhookRecord.answer;
/** A webhook as callers see it. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export type Webhook = z.output<typeof webhookSchema>;

const secretSchema = z.string().meta({
  description: "Secret with which the receiver verifies signatures: whsec_ and base64. Only this response contains it.",
});

/** The response to a created webhook, with its secret. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export const createdWebhookSchema = webhookSchema
  .extend({ secret: secretSchema })
  .meta({ id: "CreatedWebhook", description: "A webhook that was made, with its secret." });
/** The response to a created webhook, with its secret. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export type CreatedWebhook = z.output<typeof createdWebhookSchema>;

/** The request body of a secret rotation, which is empty. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export const rotateSecretSchema = z.strictObject({}).meta({ id: "RotateWebhookSecret" });

/** The response to a rotation, with the new secret. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export const rotatedSecretSchema = z
  .strictObject({
    secret: secretSchema,
    previousSecretEndsAt: timeSchema("Until this time, the previous secret signs in addition to the new one."),
  })
  .meta({ id: "RotatedWebhookSecret", description: "A new secret of a webhook." });
/** The response to a rotation, with the new secret. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export type RotatedSecret = z.output<typeof rotatedSecretSchema>;

/** The request body that delivers an event again or sends a test event. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export const deliveryInputSchema = z
  .union([
    z.strictObject({ eventId: idField("ID of an event that was delivered to this webhook.") }),
    z.strictObject({ type: z.literal(webhookTestEventType).meta({ description: "A test event." }) }),
  ])
  .meta({ id: "DeliveryInput" });
/** The request body that delivers an event again or sends a test event. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export type DeliveryInput = z.input<typeof deliveryInputSchema>;

/** One event for one webhook. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;
