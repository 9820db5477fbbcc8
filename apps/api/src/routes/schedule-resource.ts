import type { Principal, ReportAccess } from "@reports/auth";
import { isVisible, withCurrentNames, type ReportTypeDefinition } from "@reports/core/report";
import { schedulePauseReasons, type Schedule, type ScheduleRun } from "@reports/core/schedule";
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
  const code = schedule.pausedBecause ?? "REQUESTED";
  return showSchedule({
    ...schedule,
    searchParam: schedule.searchParam as ReportSchedule["searchParam"],
    pausedBecause: status === "PAUSED" ? { code, detail: schedulePauseReasons[code] } : null,
    nextFires: nextFires.map((instant) => instant.toISOString()),
    lastFire: lastFire === null ? null : runResource(lastFire, knowsReports),
  });
}

/** Returns a run as callers see it. Callers who may not see the report get null as its ID. */
export function runResource(run: ScheduleRun, knowsReports: boolean): ReportScheduleFire {
  return showRun({ ...run, reportId: knowsReports ? run.reportId : null });
}

/** Version of the JSON form of a schedule. It is part of the entity tag, so that cached copies of an older form are not reused. */
const representationVersion = 2;

/** Returns the entity tag of a schedule. If-Match ignores the number of runs, so that a run between a read and a write does not fail the write. */
export function scheduleValidators({ revision, fires }: Pick<Schedule, "revision" | "fires">) {
  return validatorsOf({ version: { configuration: revision, observations: fires } }, representationVersion);
}
