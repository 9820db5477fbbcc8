import { z } from "zod";
import { idField } from "../query/id-field.ts";
import type { webhookDeliverySchema } from "./delivery-record.ts";
import { webhookRecord } from "./webhook-record.ts";
import { testEventType, webhookEventTypes } from "./webhook-values.ts";

const time = (description: string) => z.iso.datetime().meta({ description });

/** The body that makes a webhook. Its status is that of every new one. docs/contract.md §9.1. */
export const webhookInputSchema = webhookRecord.input.omit({ status: true }).meta({ id: "WebhookInput" });
/** The body that makes a webhook. docs/contract.md §9.1. */
export type WebhookInput = z.input<typeof webhookInputSchema>;

/** A merge patch of a webhook: null takes what has a default back to it. docs/contract.md §9.1. */
export const webhookPatchSchema = webhookRecord.patch.meta({ id: "WebhookPatch" });
/** A merge patch of a webhook. docs/contract.md §9.1. */
export type WebhookPatch = z.input<typeof webhookPatchSchema>;

/** A webhook as callers see it. docs/contract.md §9.1. */
export const webhookSchema = webhookRecord.answer;
/** A webhook as callers see it. docs/contract.md §9.1. */
export type Webhook = z.output<typeof webhookSchema>;

const secret = z
  .string()
  .meta({ description: "By which the receiver verifies what is sent: whsec_ and base64. Shown only once." });

/** A webhook that was made. docs/contract.md §9.1. */
export const createdWebhookSchema = webhookSchema
  .extend({ secret })
  .meta({ id: "CreatedWebhook", description: "A webhook that was made, with its secret." });
/** A webhook that was made. docs/contract.md §9.1. */
export type CreatedWebhook = z.output<typeof createdWebhookSchema>;

/** The body of a rotation, which holds nothing. docs/contract.md §9.1. */
export const rotateSecretSchema = z.strictObject({}).meta({ id: "RotateWebhookSecret" });

/** A new secret. docs/contract.md §9.1. */
export const rotatedSecretSchema = z
  .strictObject({ secret, previousSecretEndsAt: time("Until then the previous secret signs as well.") })
  .meta({ id: "RotatedWebhookSecret", description: "A new secret of a webhook." });
/** A new secret. docs/contract.md §9.1. */
export type RotatedSecret = z.output<typeof rotatedSecretSchema>;

/** What is asked for of deliveries: one again, or a test. docs/contract.md §9.1. */
export const deliveryInputSchema = z
  .union([
    z.strictObject({ eventId: idField("An event that this webhook was told of.") }),
    z.strictObject({ type: z.literal(testEventType).meta({ description: "A test event." }) }),
  ])
  .meta({ id: "DeliveryInput" });
/** What is asked for of deliveries: one again, or a test. docs/contract.md §9.1. */
export type DeliveryInput = z.input<typeof deliveryInputSchema>;

/** One event on its way to one webhook. docs/contract.md §9.1. */
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;

const envelope = { timestamp: time("When it happened.") };
const eventLinks = (shape: z.ZodRawShape) => z.object(shape).meta({ description: "They begin with PUBLIC_URL." });
const self = z.url().meta({ description: "Where to read about it, with credentials." });

/** What receivers are sent, by the type of event. docs/contract.md §9.2. */
export const webhookPayloads = {
  ...Object.fromEntries(
    webhookEventTypes
      .filter((type) => type.startsWith("report."))
      .map((type) => [
        type,
        z.object({
          type: z.literal(type),
          ...envelope,
          data: z.object({
            id: idField("The report."),
            reportType: z.string().meta({ description: "The type of the report." }),
            status: z
              .literal(type.slice("report.".length).toUpperCase())
              .meta({ description: "The status that it came to." }),
            revision: z.int().min(1).meta({ description: "Of two events of a report the later has the higher one." }),
            scheduleId: idField("The schedule that started it.").nullable(),
            requestId: z.string().nullable().meta({ description: "The X-Request-Id of its start." }),
            links: eventLinks({
              self,
              download: z.url().nullable().meta({ description: "Its file, with credentials; null without one." }),
            }),
          }),
        }),
      ]),
  ),
  "schedule.paused": z.object({
    type: z.literal("schedule.paused"),
    ...envelope,
    data: z.object({
      scheduleId: idField("The schedule."),
      because: z.string().meta({ description: "Why the service paused it." }),
      links: eventLinks({ self }),
    }),
  }),
  [testEventType]: z.object({
    type: z.literal(testEventType),
    ...envelope,
    data: z.object({ webhookId: idField("The webhook."), links: eventLinks({ self }) }),
  }),
} as Readonly<Record<string, z.ZodType>>;
