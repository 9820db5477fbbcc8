import { z } from "zod";
import { choiceField } from "./schedule-choices.ts";
import { idField } from "../query/id-field.ts";
import {
  fireCauses,
  fireOutcomes,
  missedPolicies,
  overlapPolicies,
  schedulePauseReasons,
  scheduleStatuses,
} from "./schedule-record.ts";
import { storedSearchParamSchema } from "../report/request/stored-search-param.ts";

const time = (description: string) => z.iso.datetime().meta({ description });
const causes = <Cause extends string>(of: Readonly<Record<Cause, string>>) => Object.keys(of) as [Cause, ...Cause[]];

/** One time of a schedule as callers see it. docs/contract.md §10.3. */
export const scheduleFireSchema = z
  .strictObject({
    id: idField("Id of the fire."),
    scheduleId: idField("The schedule that fired."),
    scheduledFor: time("The time that the schedule names, or at which somebody ran it."),
    firedAt: time("When a worker came to it."),
    outcome: choiceField(fireOutcomes),
    because: z
      .enum(causes(fireCauses))
      .nullable()
      .meta({ id: "FireCause", description: "Why nothing was started. Later versions add more." }),
    reportId: idField(
      "The report that was started. Null if nothing was started or the caller may not see it.",
    ).nullable(),
    count: z.int().min(1).meta({ description: "How many times were skipped together; this is the last of them." }),
  })
  .meta({ id: "ReportScheduleFire", description: "What came of one time of a schedule." });

/** What came of one time of a schedule. docs/contract.md §10.3. */
export type ReportScheduleFire = z.output<typeof scheduleFireSchema>;

/** A schedule as callers see it. docs/contract.md §10.1. */
export const reportScheduleSchema = z
  .strictObject({
    id: idField("Id of the schedule."),
    name: z.string().meta({ description: "What its owner calls it." }),
    reportType: z.string().meta({ description: "The type of its reports." }),
    searchParam: storedSearchParamSchema,
    options: z
      .record(z.string(), z.unknown())
      .meta({ description: "Those options of its reports that were given; the others take their defaults each time." }),
    cron: z.string().meta({ description: "Minute, hour, day of the month, month, day of the week." }),
    timezone: z.string().meta({ description: "IANA time zone on whose clocks it fires." }),
    startsAt: time("Before this time it does not fire.").nullable(),
    endsAt: time("After this time it does not fire.").nullable(),
    status: choiceField(scheduleStatuses),
    pausedBecause: z
      .strictObject({
        code: z.enum(causes(schedulePauseReasons)).meta({
          id: "SchedulePauseCause",
          description: "Why a schedule is paused. Later versions add more.",
        }),
        detail: z.string().meta({ description: "What happened and what to do, for its owner." }),
      })
      .nullable()
      .meta({ description: "Null unless it is PAUSED." }),
    missed: choiceField(missedPolicies),
    missedWithinSeconds: z.int().min(0).meta({
      description: "How many seconds after its time a fire that was missed is still started.",
    }),
    overlap: choiceField(overlapPolicies),
    nextFireAt: time("When it fires next.").nullable(),
    nextFires: z.array(z.iso.datetime()).meta({ description: "The next five times." }),
    lastFire: scheduleFireSchema.nullable(),
    owner: z.string().meta({ description: "The principal in whose name its reports are started." }),
    createdAt: time("When it was made."),
    updatedAt: time("When somebody last changed it, or the service paused or ended it. Runs do not count."),
  })
  .meta({ id: "ReportSchedule", description: "What starts reports by itself." });

/** A schedule as callers see it: times are RFC 3339 in UTC. docs/contract.md §10.1. */
export type ReportSchedule = z.output<typeof reportScheduleSchema>;
