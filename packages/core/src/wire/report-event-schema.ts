import { z } from "zod";
import { choiceField } from "./named-choices.ts";
import { idField } from "../query/id-field.ts";
import { eventCauses, reportStatuses } from "../base/vocabulary.ts";
import { countSchema, type ReportProgress } from "./report-schema.ts";

/** A transition of a report as callers see it. docs/reference/resources/report-events.md#events. */
export const reportEventSchema = z
  .strictObject({
    id: z.int().min(1).meta({
      description:
        "ID of the event. It increases from event to event over all reports, so the IDs of one report have gaps.",
    }),
    reportId: idField("The report to which the event belongs."),
    from: choiceField(reportStatuses)
      .nullable()
      .meta({ description: "State before the transition; null for the first event, the creation." }),
    to: z
      .enum([...reportStatuses, "DELETED"])
      .meta({ id: "ReportEventTarget", description: "State after the transition. DELETED: the report was deleted." }),
    attempt: countSchema("Number of the report's latest attempt at that time; 0 before the first."),
    at: z.iso.datetime().meta({ description: "When the transition happened." }),
    because: z
      .enum(eventCauses)
      .meta({
        id: "ReportEventCause",
        description:
          "Cause of the transition. FILE_DAMAGED: the report EXPIRED before the end of its retention, because its file is damaged. Every other value says why a worker requeued the report.",
      })
      .nullable(),
    actor: z.string().nullable().meta({
      description:
        "Actor that caused the transition: a principal, or `worker` for the service itself. If a schedule started the report at one of its times, `schedule:` and the ID of the schedule. Null for events of older versions of the service, which did not record it.",
    }),
  })
  .meta({ id: "ReportEvent", description: "One transition of a report; the first is its creation." });

/** A transition of a report as callers see it. docs/reference/resources/report-events.md#events. */
export type ReportEvent = z.output<typeof reportEventSchema>;

/** The data of an event `progress` in a stream. docs/reference/resources/report-events.md#events. */
export interface ProgressEvent extends ReportProgress {
  reportId: string;
  attempt: number;
}
