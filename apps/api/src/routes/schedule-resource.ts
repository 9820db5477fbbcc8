import { schedulePauseCauses, type Schedule, type ScheduleFire } from "@reports/core";
import type { ReportSchedule, ReportScheduleFire } from "@reports/core/http";
import { validatorsOf } from "../resource/record-resource.ts";

/** Shows a schedule to callers, with its next times. */
export function scheduleResource(schedule: Schedule, nextFires: readonly Date[]): ReportSchedule {
  const { pausedBecause, lastFire } = schedule;
  return {
    id: schedule.id,
    name: schedule.name,
    reportType: schedule.reportType,
    searchParam: schedule.searchParam as ReportSchedule["searchParam"],
    options: schedule.options,
    cron: schedule.cron,
    timezone: schedule.timezone,
    startsAt: schedule.startsAt?.toISOString() ?? null,
    endsAt: schedule.endsAt?.toISOString() ?? null,
    status: schedule.status,
    pausedBecause: pausedBecause === null ? null : { code: pausedBecause, detail: schedulePauseCauses[pausedBecause] },
    missed: schedule.missed,
    missedWithinSeconds: schedule.missedWithinSeconds,
    overlap: schedule.overlap,
    nextFireAt: schedule.nextFireAt?.toISOString() ?? null,
    nextFires: nextFires.map((instant) => instant.toISOString()),
    lastFire: lastFire === null ? null : fireResource(lastFire),
    owner: schedule.owner,
    createdAt: schedule.createdAt.toISOString(),
    updatedAt: schedule.updatedAt.toISOString(),
  };
}

/** Shows what came of one time of a schedule. */
export function fireResource(fire: ScheduleFire): ReportScheduleFire {
  const { id, scheduleId, scheduledFor, firedAt, outcome, because, reportId, count } = fire;
  const times = { scheduledFor: scheduledFor.toISOString(), firedAt: firedAt.toISOString() };
  return { id, scheduleId, ...times, outcome, because, reportId, count };
}

/** The entity tag: If-Match compares what people change, and not how often it has fired. */
export function scheduleValidators({ revision, fires }: Pick<Schedule, "revision" | "fires">) {
  return validatorsOf({ version: { configuration: revision, observations: fires } });
}
