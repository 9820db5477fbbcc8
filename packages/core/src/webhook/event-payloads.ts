import { z } from "zod";
import { idField } from "../query/id-field.ts";
import { webhookTestEventType, webhookEventTypes, type DeliveredEventType } from "./webhook-values.ts";

interface NonReportEvent {
  readonly data: z.ZodRawShape;
  /** Link to the event's record: the path below `/v1`, and the data field that holds the record's ID. */
  readonly self: { readonly path: string; readonly id: string };
}

const nonReportEvents: Readonly<Record<Exclude<DeliveredEventType, `report.${string}`>, NonReportEvent>> = {
  "schedule.paused": {
    data: {
      scheduleId: idField("The schedule."),
      because: z.string().meta({ description: "Why the service paused it." }),
    },
    self: { path: "report-schedules", id: "scheduleId" },
  },
  [webhookTestEventType]: {
    data: { webhookId: idField("The webhook.") },
    self: { path: "webhooks", id: "webhookId" },
  },
};

export function findNonReportEvent(type: string): NonReportEvent | undefined {
  return Object.hasOwn(nonReportEvents, type) ? nonReportEvents[type as keyof typeof nonReportEvents] : undefined;
}

const timestampSchema = z.iso.datetime().meta({ description: "When it happened." });
const selfSchema = z.url().meta({ description: "Where to read about it, with credentials." });
const downloadSchema = z.url().nullable().meta({ description: "Its file, with credentials; null without one." });

/** Schemas of the payloads, by event type. docs/reference/resources/webhooks.md#events. */
export const webhookPayloads: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  [...webhookEventTypes, webhookTestEventType].map((type) => {
    const own = findNonReportEvent(type);
    const links = z
      .object(own === undefined ? { self: selfSchema, download: downloadSchema } : { self: selfSchema })
      .meta({ description: "They begin with PUBLIC_URL." });
    const data = z.object({ ...(own === undefined ? reportData(type) : own.data), links });
    return [type, z.object({ type: z.literal(type), timestamp: timestampSchema, data })];
  }),
);

function reportData(type: string) {
  return {
    id: idField("The report."),
    reportType: z.string().meta({ description: "The type of the report." }),
    status: z.literal(type.slice("report.".length).toUpperCase()).meta({ description: "The status that it came to." }),
    revision: z.int().min(1).meta({ description: "A later event of the same report has a higher number." }),
    scheduleId: idField("The schedule that started it.").nullable(),
    requestId: z.string().nullable().meta({ description: "The X-Request-Id of its start." }),
  };
}
