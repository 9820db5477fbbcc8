import { z } from "zod";
import { defineRecord } from "../record/define-record.ts";
import { sameSchema, id, time } from "../record/field-kinds.ts";
import { nullable, server, type RecordOf } from "../record/field.ts";
import { choiceField } from "./schedule-choices.ts";
import { runCauses, runOutcomes, type RunCause } from "./schedule-values.ts";

const runFields = {
  id: server(id(), { about: "ID of the run." }),
  scheduleId: server(id(), { about: "The schedule to which the run belongs." }),
  scheduledFor: server(time(), {
    about: "The time of the schedule that was due. For a run by hand, the time of the request.",
  }),
  firedAt: server(time(), {
    about: "When a worker handled the due time. For a run by hand, the same as scheduledFor.",
  }),
  outcome: server(sameSchema(choiceField(runOutcomes))),
  because: server(
    sameSchema(
      z
        .enum(Object.keys(runCauses) as [RunCause, ...RunCause[]])
        .nullable()
        .meta({
          id: "FireCause",
          description: "Why the run started no report; null if it started one. Later versions can add codes.",
        }),
    ),
  ),
  reportId: server(nullable(id()), {
    about: "The report that was started. Null if nothing was started or the caller may not see it.",
  }),
  count: server(sameSchema(z.int().min(1)), {
    about:
      "Number of times that the run covers. It is above 1 if many times were skipped; scheduledFor is then the last of them.",
  }),
};

export type ScheduleRun = RecordOf<typeof runFields>;

/** A run of a schedule as callers see it. docs/reference/resources/report-schedules.md#runs. */
export const scheduleFireSchema = defineRecord(
  { id: "ReportScheduleFire", description: "One run of a schedule: a time and its outcome." },
  runFields,
).answer;

/** A run of a schedule as callers see it. docs/reference/resources/report-schedules.md#runs. */
export type ReportScheduleFire = z.output<typeof scheduleFireSchema>;
