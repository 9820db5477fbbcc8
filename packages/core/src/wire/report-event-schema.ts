import { z } from "zod";
import { choiceField } from "./named-choices.ts";
import { idField } from "../query/id-field.ts";
import { eventCauses, reportStatuses } from "../base/vocabulary.ts";
import type { ReportProgress } from "./report-schema.ts";

/** One transition as callers see it. docs/reference/resources/report-events.md#events. */
export const reportEventSchema = z
  .strictObject({
    id: z.int().min(1).meta({ description: "A whole number that increases from event to event, over all reports." }),
    reportId: idField("The report that it happened to."),
    from: choiceField(reportStatuses).nullable(),
    to: z
      .enum([...reportStatuses, "DELETED"])
      .meta({ id: "ReportEventTarget", description: "The state that a transition leads to." }),
    attempt: z.int().min(0).meta({ description: "How often the report had been claimed by then." }),
    at: z.iso.datetime().meta({ description: "When it happened." }),
    because: z
      .enum(eventCauses)
      .meta({
        id: "ReportEventCause",
        description:
          "FILE_DAMAGED: why a report EXPIRED before its retention was over. All others: why a worker did not run it, so that it waits.",
      })
      .nullable(),
    actor: z.string().nullable().meta({
      description:
        "Actor of the transition: a principal, `schedule:` and the ID of the schedule for a run at one of its times, or `worker` for the service itself. Null for events from before it was recorded.",
    }),
  })
  .meta({ id: "ReportEvent", description: "One transition of a report; the first is its creation." });

/** One transition as callers see it. docs/reference/resources/report-events.md#events. */
export type ReportEvent = z.output<typeof reportEventSchema>;

/** The data of an event `progress` in a stream. docs/reference/resources/report-events.md#events. */
export interface ProgressEvent extends ReportProgress {
  reportId: string;
  attempt: number;
}
