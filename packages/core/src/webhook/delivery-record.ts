import { z } from "zod";
import { defineRecord } from "../record/define-record.ts";
import { sameSchema, id, time } from "../record/field-kinds.ts";
import { computed, nullable, server, type RecordOf } from "../record/field.ts";
import { choiceField } from "./webhook-choices.ts";
import { joinMeanings } from "./webhook-record.ts";
import {
  deliveryErrors,
  deliveryStatuses,
  testEventType,
  webhookEventTypes,
  type DeliveryError,
} from "./webhook-values.ts";

const deliveredTypeSchema = z
  .enum([...webhookEventTypes, testEventType])
  .meta({ id: "DeliveredEventType", description: "Type of the event. Later versions can add types." });
const errorCodeSchema = z.enum(Object.keys(deliveryErrors) as [DeliveryError, ...DeliveryError[]]).meta({
  id: "DeliveryErrorCode",
  description: `Why the last attempt failed, or why the event was not sent. ${joinMeanings(deliveryErrors)} Later versions can add codes.`,
});

const deliveryFields = {
  id: server(id(), { about: "ID of the delivery." }),
  webhookId: server(id(), { about: "The webhook to which the event is sent." }),
  eventId: server(id(), {
    about: "ID of the event. The receiver gets it in the header webhook-id, which is the same in every attempt.",
  }),
  type: server(sameSchema(deliveredTypeSchema)),
  reportId: server(nullable(id()), { about: "The report that the event is about; null if it is about no report." }),
  reportTitle: computed(z.string().nullable(), { about: "Title of that report; null if it is about no report." }),
  status: server(sameSchema(choiceField(deliveryStatuses))),
  tries: server(sameSchema(z.int().min(0)), { about: "Number of attempts since the delivery was last queued." }),
  nextTryAt: server(nullable(time()), { about: "When the next attempt is due; null unless the delivery is PENDING." }),
  lastStatus: server(nullable(sameSchema(z.int())), {
    about: "HTTP status of the response to the last attempt; null if that attempt got no response.",
  }),
  lastErrorCode: server(nullable(sameSchema(errorCodeSchema))),
  durationMs: server(nullable(sameSchema(z.int().min(0))), {
    about: "Duration of the last attempt in milliseconds; null if there was no connection.",
  }),
  createdAt: server(time(), { about: "When the event happened." }),
  endedAt: server(nullable(time()), {
    about: "When the delivery became DELIVERED, FAILED or DROPPED; null while it is PENDING.",
  }),
};

export const deliveryRecord = defineRecord(
  { id: "WebhookDelivery", description: "One event for one webhook." },
  deliveryFields,
);

/** One event for one webhook. docs/reference/resources/webhooks.md#endpoints-and-fields. */
export const webhookDeliverySchema = deliveryRecord.answer;

export interface WebhookDelivery extends RecordOf<typeof deliveryFields> {
  readonly reportTitle: string | null;
}
