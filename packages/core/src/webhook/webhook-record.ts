import { z } from "zod";
import { keysOf } from "../base/keys-of.ts";
import { describeMeanings } from "../record/choice-field.ts";
import { defineRecord } from "../record/define-record.ts";
import { sameSchemaKind, id, time } from "../record/field-kinds.ts";
import {
  ignoredField,
  keptField,
  nullable,
  optionalField,
  optionalNullableField,
  required,
  serverSetField,
  type InputOf,
  type RecordOf,
} from "../record/field.ts";
import { ruleErrorOption } from "../record/field-rule.ts";
import { choiceField } from "./webhook-choice-schemas.ts";
import {
  webhookPauseCauses,
  webhookEventTypes,
  webhookScopes,
  webhookStatuses,
  type WebhookPauseCode,
} from "./webhook-values.ts";

const urlRule = "must be an absolute URL of at most 2000 characters";
const urlSchema = z.string(ruleErrorOption(urlRule)).min(1, urlRule).max(2_000, urlRule).refine(hasNoBlanks, urlRule);

const eventTypeSchema = z
  .enum(webhookEventTypes, ruleErrorOption(`must be one of ${webhookEventTypes.join(", ")}`))
  .meta({
    id: "WebhookEventType",
    description: "Types of events that a webhook can receive. Later versions add more.",
  });
const eventsRule = "must be a list of events, each once";
const eventsSchema = distinctListSchema(eventTypeSchema, webhookEventTypes.length, eventsRule);

const typesRule = "must be a list of report types, each once, or null for all";
const typeNameSchema = z.string(ruleErrorOption("must be the name of a report type")).min(1).max(60);
const reportTypesSchema = distinctListSchema(typeNameSchema, 50, typesRule);

const scopeSchema = z.enum(webhookScopes, ruleErrorOption(`must be one of ${webhookScopes.join(", ")}`)).meta({
  id: "WebhookScope",
  description:
    "Reports whose events are sent. OWN: those of the owner. ALL: all reports, for holders of REPORTS_ADMIN.",
});

/** The record stores only the code of a pause. Responses add its explanation. */
const pauseKind = {
  given: z.custom<WebhookPauseCode>().nullable(),
  answer: z
    .strictObject({
      code: z.enum(keysOf(webhookPauseCauses)).meta({
        id: "WebhookPauseCause",
        description: `${describeMeanings(webhookPauseCauses)} Later versions can add codes.`,
      }),
      detail: z.string().meta({ description: "The cause and the remedy, for its owner." }),
    })
    .nullable(),
};

const webhookFields = {
  id: serverSetField(id(), { about: "ID of the webhook." }),
  owner: serverSetField(sameSchemaKind(z.string()), { about: "The principal that created the webhook." }),
  url: required(sameSchemaKind(urlSchema), {
    title: "Address",
    about:
      "Address that receives events: https on port 443 of a public host, or an address that the deployment allows.",
  }),
  events: required(sameSchemaKind(eventsSchema), {
    about: "Types of events that the webhook receives, each listed once.",
  }),
  reportTypes: optionalNullableField(sameSchemaKind(reportTypesSchema), {
    about: "Report types whose events the webhook receives; null for all.",
  }),
  of: optionalField(sameSchemaKind(scopeSchema), "OWN"),
  status: keptField(sameSchemaKind(choiceField(webhookStatuses)), "ACTIVE"),
  pausedBecause: ignoredField(pauseKind, { about: "Why the webhook is paused; null unless it is PAUSED." }),
  lastDeliveredAt: ignoredField(nullable(time()), {
    about: "When an event was last delivered, up to a minute early; null before the first delivery.",
  }),
  failingSince: ignoredField(nullable(time()), {
    about:
      "Since when attempts have failed; null after a delivery, and after the webhook is resumed or gets another url.",
  }),
  createdAt: serverSetField(time(), { about: "When the webhook was created." }),
  updatedAt: ignoredField(time(), {
    about: "Time of the latest change by a caller, or of a pause by the service. Deliveries do not count.",
  }),
};

export const webhookRecord = defineRecord(
  { id: "Webhook", description: "An address that receives events. Its secret is shown only when it is made." },
  webhookFields,
);

export interface Webhook extends RecordOf<typeof webhookFields> {
  /** Incremented by every change that callers make or see. */
  readonly revision: number;
  readonly deletedAt: Date | null;
}

export type WebhookFields = Pick<Webhook, keyof InputOf<typeof webhookFields>>;

function distinctListSchema<Item extends z.ZodType<string>>(item: Item, most: number, must: string) {
  return z
    .array(item, ruleErrorOption(must))
    .min(1, must)
    .max(most, must)
    .refine((values) => new Set(values).size === values.length, must)
    .meta({ uniqueItems: true });
}

/** Reports whether a URL has no whitespace or control characters. URL parsers drop them silently, and Postgres cannot store all of them. */
function hasNoBlanks(text: string): boolean {
  return !/[\s\p{Cc}]/u.test(text);
}
