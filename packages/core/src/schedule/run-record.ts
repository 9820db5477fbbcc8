import { z } from "zod";
import { keysOf } from "../base/keys-of.ts";
import { defineRecord } from "../record/define-record.ts";
import { sameSchemaKind, id, time } from "../record/field-kinds.ts";
import { nullable, serverSetField, type RecordOf } from "../record/field.ts";
import { choiceField } from "./schedule-choice-schemas.ts";
import { scheduleRunCauses, scheduleRunOutcomes } from "./schedule-values.ts";

const runFields = {
  id: serverSetField(id(), { about: "ID of the run." }),
  scheduleId: serverSetField(id(), { about: "The schedule to which the run belongs." }),
  scheduledFor: serverSetField(time(), {
    about: "The time of the schedule that was due. For a run by hand, the time of the request.",
  }),
  firedAt: serverSetField(time(), {
    about: "When a worker handled the due time. For a run by hand, the same as scheduledFor.",
  }),
  outcome: serverSetField(sameSchemaKind(choiceField(scheduleRunOutcomes))),
  because: serverSetField(
    sameSchemaKind(
      z.enum(keysOf(scheduleRunCauses)).nullable().meta({
        id: "FireCause",
        description: "Why the run started no report; null if it started one. Later versions can add codes.",
      }),
    ),
  ),
  reportId: serverSetField(nullable(id()), {
    about: "The report that was started. Null if nothing was started or the caller may not see it.",
  }),
  count: serverSetField(sameSchemaKind(z.int().min(1)), {
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
