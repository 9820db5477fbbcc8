import { z } from "zod";
import { keysOf } from "../base/keys-of.ts";
import { describeMeanings } from "../record/choice-field.ts";
import { defineRecord } from "../record/define-record.ts";
import { sameSchemaKind, id, time } from "../record/field-kinds.ts";
import { computedField, nullable, serverSetField, type RecordOf } from "../record/field.ts";
import { choiceField } from "./webhook-choice-schemas.ts";
import { deliveryErrorMeanings, deliveryStatuses, webhookTestEventType, webhookEventTypes } from "./webhook-values.ts";

const deliveredTypeSchema = z
  .enum([...webhookEventTypes, webhookTestEventType])
  .meta({ id: "DeliveredEventType", description: "Type of the event. Later versions can add types." });
const errorCodeSchema = z.enum(keysOf(deliveryErrorMeanings)).meta({
  id: "DeliveryErrorCode",
  description: `Why the last attempt failed, or why the event was not sent. ${describeMeanings(deliveryErrorMeanings)} Later versions can add codes.`,
});

const deliveryFields = {
  id: serverSetField(id(), { about: "ID of the delivery." }),
  webhookId: serverSetField(id(), { about: "The webhook to which the event is sent." }),
  eventId: serverSetField(id(), {
    about: "ID of the event. The receiver gets it in the header webhook-id, which is the same in every attempt.",
  }),
  type: serverSetField(sameSchemaKind(deliveredTypeSchema)),
  reportId: serverSetField(nullable(id()), {
    about: "The report that the event is about; null if it is about no report.",
  }),
  reportTitle: computedField(z.string().nullable(), { about: "Title of that report; null if it is about no report." }),
  status: serverSetField(sameSchemaKind(choiceField(deliveryStatuses))),
  tries: serverSetField(sameSchemaKind(z.int().min(0)), {
    about: "Number of attempts since the delivery was last queued.",
  }),
  nextTryAt: serverSetField(nullable(time()), {
    about: "When the next attempt is due; null unless the delivery is PENDING.",
  }),
  lastStatus: serverSetField(nullable(sameSchemaKind(z.int())), {
    about: "HTTP status of the response to the last attempt; null if that attempt got no response.",
  }),
  lastErrorCode: serverSetField(nullable(sameSchemaKind(errorCodeSchema))),
  durationMs: serverSetField(nullable(sameSchemaKind(z.int().min(0))), {
    about: "Duration of the last attempt in milliseconds; null if there was no connection.",
  }),
  createdAt: serverSetField(time(), { about: "When the event happened." }),
  endedAt: serverSetField(nullable(time()), {
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
