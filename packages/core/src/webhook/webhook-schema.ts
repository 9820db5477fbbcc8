import { z } from "zod";
import { allow } from "../record/field-rule.ts";
import { idField } from "../query/id-field.ts";
import { choiceField } from "./webhook-choices.ts";
import {
  deliveryErrors,
  deliveryStatuses,
  pauseCauses,
  testEventType,
  webhookEventTypes,
  webhookScopes,
  webhookStatuses,
  type DeliveryError,
  type PauseCause,
} from "./webhook-record.ts";

const time = (description: string) => z.iso.datetime().meta({ description });
const meanings = (of: Readonly<Record<string, string>>): string =>
  Object.entries(of)
    .map(([code, meaning]) => `${code}: ${meaning}`)
    .join(" ");

const eventType = z
  .enum(webhookEventTypes, allow(`must be one of ${webhookEventTypes.join(", ")}`))
  .meta({ id: "WebhookEventType", description: "What a webhook can be told of. Later versions add more." });
const deliveredType = z
  .enum([...webhookEventTypes, testEventType])
  .meta({ id: "DeliveredEventType", description: "What a delivery tells. Later versions add more." });

const mustBeUrl = "must be an absolute URL of at most 2000 characters";
const mustBeEvents = "must be a list of events, each once";
const mustBeTypes = "must be a list of report types, each once, or null for all";

const fields = {
  url: z.string(allow(mustBeUrl)).min(1, mustBeUrl).max(2_000, mustBeUrl).refine(isPlain, mustBeUrl).meta({
    description: "Where events are sent to: https on port 443 of a public host, or what the deployment allows.",
  }),
  events: z
    .array(eventType, allow(mustBeEvents))
    .min(1, mustBeEvents)
    .max(webhookEventTypes.length, mustBeEvents)
    .refine(areDifferent, mustBeEvents)
    .meta({ description: "What it is told of, each once.", uniqueItems: true }),
  reportTypes: z
    .array(z.string(allow("must be the name of a report type")).min(1).max(60), allow(mustBeTypes))
    .min(1, mustBeTypes)
    .max(50, mustBeTypes)
    .refine(areDifferent, mustBeTypes)
    .nullable()
    .meta({ description: "Of which types of reports; null for all.", uniqueItems: true }),
  of: z.enum(webhookScopes, allow(`must be one of ${webhookScopes.join(", ")}`)).meta({
    id: "WebhookScope",
    description: "OWN: the owner's reports. ALL: everybody's, for holders of REPORTS_ADMIN.",
  }),
};
const status = choiceField(webhookStatuses);

function areDifferent(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

/** Parsers of URLs pass over blanks and control characters, of which Postgres cannot store all. */
function isPlain(url: string): boolean {
  return !/[\s\p{Cc}]/u.test(url);
}

/** The body that makes a webhook. docs/contract.md §9.1. */
export const webhookInputSchema = z
  .strictObject({
    ...fields,
    reportTypes: fields.reportTypes.default(null),
    of: fields.of.default("OWN"),
  })
  .meta({ id: "WebhookInput" });
/** The body that makes a webhook. docs/contract.md §9.1. */
export type WebhookInput = z.input<typeof webhookInputSchema>;

/** All that callers decide of a webhook. docs/contract.md §9.1. */
export const changedWebhookSchema = webhookInputSchema
  .extend({ status: status.default("ACTIVE") })
  .meta({ id: "ChangedWebhook" });

/** A merge patch of a webhook: null takes what has a default back to it. docs/contract.md §9.1. */
export const webhookPatchSchema = z
  .strictObject({ ...fields, of: fields.of.nullable(), status: status.nullable() })
  .partial()
  .meta({ id: "WebhookPatch" });
/** A merge patch of a webhook. docs/contract.md §9.1. */
export type WebhookPatch = z.input<typeof webhookPatchSchema>;

const shown = {
  id: idField("Id of the webhook."),
  owner: z.string().meta({ description: "The principal that made it." }),
  ...fields,
  status,
  pausedBecause: z
    .strictObject({
      code: z
        .enum(Object.keys(pauseCauses) as [PauseCause, ...PauseCause[]])
        .meta({ id: "WebhookPauseCause", description: `${meanings(pauseCauses)} Later versions add more.` }),
      detail: z.string().meta({ description: "What happened and what to do, for its owner." }),
    })
    .nullable()
    .meta({ description: "Null unless it is PAUSED." }),
  createdAt: time("When it was made."),
  updatedAt: time("When somebody last changed it, or the service paused it. Deliveries do not count."),
};

/** A webhook as callers see it. docs/contract.md §9.1. */
export const webhookSchema = z
  .strictObject(shown)
  .meta({ id: "Webhook", description: "An address that is told of events. Its secret is shown only when it is made." });
/** A webhook as callers see it. docs/contract.md §9.1. */
export type Webhook = z.output<typeof webhookSchema>;

const secret = z
  .string()
  .meta({ description: "By which the receiver verifies what is sent: whsec_ and base64. Shown only once." });

/** A webhook that was made. docs/contract.md §9.1. */
export const createdWebhookSchema = z
  .strictObject({ ...shown, secret })
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
export const webhookDeliverySchema = z
  .strictObject({
    id: idField("Id of the delivery."),
    webhookId: idField("The webhook that is told."),
    eventId: idField("What the receiver sees as webhook-id, the same at every try."),
    type: deliveredType,
    reportId: idField("The report that it is about.").nullable(),
    status: choiceField(deliveryStatuses),
    tries: z.int().min(0).meta({ description: "How often it was sent since it was last put in line." }),
    nextTryAt: time("When it is tried next, while it is PENDING.").nullable(),
    lastStatus: z.int().nullable().meta({ description: "The HTTP status of the last try that was answered." }),
    lastErrorCode: z
      .enum(Object.keys(deliveryErrors) as [DeliveryError, ...DeliveryError[]])
      .meta({ id: "DeliveryErrorCode", description: `${meanings(deliveryErrors)} Later versions add more.` })
      .nullable(),
    durationMs: z.int().min(0).nullable().meta({ description: "How long the last try took, in milliseconds." }),
    createdAt: time("When the event happened."),
    endedAt: time("When it was delivered, given up or dropped.").nullable(),
  })
  .meta({ id: "WebhookDelivery", description: "One event on its way to one webhook." });
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
