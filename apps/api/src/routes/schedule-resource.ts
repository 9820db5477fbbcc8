import type { Principal, ReportAccess } from "@reports/auth";
import { isVisible, withCurrentNames, type ReportTypeDefinition } from "@reports/core/report";
import { findMisfit, schedulePauseReasons, type Schedule, type ScheduleRun } from "@reports/core/schedule";
import {
  reportScheduleSchema,
  scheduleFireSchema,
  type ReportSchedule,
  type ReportScheduleFire,
} from "@reports/core/wire";
import { createShow, validatorsOf } from "../resource/record-resource.ts";

/** Reports whether a caller may see the reports of a schedule. An administrator who lacks the authority of the report type may not. */
export function maySeeReportsOf(
  { reportAccess }: { readonly reportAccess: Pick<ReportAccess, "visibleTo"> },
  principal: Principal,
  { reportType, owner }: Pick<Schedule, "reportType" | "owner">,
): boolean {
  return isVisible(reportAccess.visibleTo(principal), { reportType, requestedBy: owner });
}

const showSchedule = createShow(reportScheduleSchema);
const showRun = createShow(scheduleFireSchema);

/** Returns a schedule as callers see it, with the current names of filters and columns. An unknown report type has no definition. */
export function scheduleResource(
  stored: Schedule,
  nextFires: readonly Date[],
  {
    definition,
    knowsReports,
  }: { readonly definition: ReportTypeDefinition | undefined; readonly knowsReports: boolean },
): ReportSchedule {
  const schedule = definition === undefined ? stored : withCurrentNames(definition, stored);
  const { status, lastFire } = schedule;
  const misfit = findMisfit(definition, stored);
  const code = schedule.pausedBecause ?? "REQUESTED";
  return showSchedule({
    ...schedule,
    searchParam: schedule.searchParam as ReportSchedule["searchParam"],
    pausedBecause: status === "PAUSED" ? { code, detail: schedulePauseReasons[code] } : null,
    unfitBecause: misfit === null ? null : { code: misfit.because, detail: misfit.detail },
    nextFires: nextFires.map((instant) => instant.toISOString()),
    lastFire: lastFire === null ? null : runResource(lastFire, knowsReports),
  });
}

/** Returns a run as callers see it. Callers who may not see the report get null as its ID. */
export function runResource(run: ScheduleRun, knowsReports: boolean): ReportScheduleFire {
  return showRun({ ...run, reportId: knowsReports ? run.reportId : null });
}

/** Versions of the JSON form of a schedule, of one digit. They are part of the entity tag, so that copies of an older form are not reused. */
const representationVersions = { fit: 3, unfit: 4 } as const;

/** Returns the entity tag of a schedule. If-Match ignores the number of runs, so that a run between a read and a write does not fail the write. */
export function scheduleValidators(schedule: Schedule, definition: ReportTypeDefinition | undefined) {
  const { revision, fires } = schedule;
  const form = findMisfit(definition, schedule) === null ? "fit" : "unfit";
  // A version of the report type can rename filters, or have other problems with the schedule. Older instances can read only one number here.
  const representation = (definition?.version ?? 0) * 10 + representationVersions[form];
  return validatorsOf({ version: { configuration: revision, observations: fires } }, representation);
}
