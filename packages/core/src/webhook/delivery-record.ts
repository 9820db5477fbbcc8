import { z } from "zod";
import { defineRecord } from "../record/define-record.ts";
import { alike, id, time } from "../record/field-kinds.ts";
import { nullable, server, type RecordOf } from "../record/field.ts";
import { choiceField } from "./webhook-choices.ts";
import { meanings } from "./webhook-record.ts";
import {
  deliveryErrors,
  deliveryStatuses,
  testEventType,
  webhookEventTypes,
  type DeliveryError,
} from "./webhook-values.ts";

const deliveredType = z
  .enum([...webhookEventTypes, testEventType])
  .meta({ id: "DeliveredEventType", description: "Type of the event that is delivered. Later versions add more." });
const errorCode = z
  .enum(Object.keys(deliveryErrors) as [DeliveryError, ...DeliveryError[]])
  .meta({ id: "DeliveryErrorCode", description: `${meanings(deliveryErrors)} Later versions add more.` });

const fields = {
  id: server(id(), { about: "Id of the delivery." }),
  webhookId: server(id(), { about: "The webhook that receives it." }),
  eventId: server(id(), { about: "ID of the event. The receiver gets it as webhook-id, the same in every attempt." }),
  type: server(alike(deliveredType)),
  reportId: server(nullable(id()), { about: "The report that it is about." }),
  status: server(alike(choiceField(deliveryStatuses))),
  tries: server(alike(z.int().min(0)), { about: "Attempts since it was last queued." }),
  nextTryAt: server(nullable(time()), { about: "When it is tried next, while it is PENDING." }),
  lastStatus: server(nullable(alike(z.int())), { about: "The HTTP status of the last try that was answered." }),
  lastErrorCode: server(nullable(alike(errorCode))),
  durationMs: server(nullable(alike(z.int().min(0))), { about: "How long the last try took, in milliseconds." }),
  createdAt: server(time(), { about: "When the event happened." }),
  endedAt: server(nullable(time()), { about: "When it was delivered, given up or dropped." }),
};

/** How deliveries are shown. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export const deliveryRecord = defineRecord(
  { id: "WebhookDelivery", description: "One event for one webhook." },
  fields,
);

/** One event for one webhook. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export const webhookDeliverySchema = deliveryRecord.answer;

export type WebhookDelivery = RecordOf<typeof fields>;
