import type { Principal, ReportAccess } from "@reports/auth";
import { isVisible } from "@reports/core/report";
import { schedulePauseReasons, type Schedule, type ScheduleFire } from "@reports/core/schedule";
import {
  reportScheduleSchema,
  scheduleFireSchema,
  type ReportSchedule,
  type ReportScheduleFire,
} from "@reports/core/wire";
import { showAs, validatorsOf } from "../resource/record-resource.ts";

/** Whether a caller may see a schedule's reports, which share its type and owner. Administrators may lack the type's authority. */
export function knowsReportsOf(
  { reportAccess }: { readonly reportAccess: Pick<ReportAccess, "visibleTo"> },
  principal: Principal,
  { reportType, owner }: Pick<Schedule, "reportType" | "owner">,
): boolean {
  return isVisible(reportAccess.visibleTo(principal), { reportType, requestedBy: owner });
}

const show = showAs(reportScheduleSchema);
const showRun = showAs(scheduleFireSchema);

export function scheduleResource(
  schedule: Schedule,
  nextFires: readonly Date[],
  knowsReports: boolean,
): ReportSchedule {
  const { status, lastFire } = schedule;
  const code = schedule.pausedBecause ?? "REQUESTED";
  return show({
    ...schedule,
    searchParam: schedule.searchParam as ReportSchedule["searchParam"],
    pausedBecause: status === "PAUSED" ? { code, detail: schedulePauseReasons[code] } : null,
    nextFires: nextFires.map((instant) => instant.toISOString()),
    lastFire: lastFire === null ? null : runResource(lastFire, knowsReports),
  });
}

/** Only callers who may see the report get its ID. */
export function runResource(fire: ScheduleFire, knowsReports: boolean): ReportScheduleFire {
  return showRun({ ...fire, reportId: knowsReports ? fire.reportId : null });
}

/** Changes with the shape of the record: `pausedBecause` was a text in 1. */
const representation = 2;

/** If-Match compares callers' changes, not the number of runs. */
export function scheduleValidators({ revision, fires }: Pick<Schedule, "revision" | "fires">) {
  return validatorsOf({ version: { configuration: revision, observations: fires } }, representation);
}
