import type { Principal, ReportAccess } from "@reports/auth";
import { isReportVisible, withCurrentNames, type ReportTypeDefinition } from "@reports/core/report";
import { findScheduleMisfit, allSchedulePauseCauses, type Schedule, type ScheduleRun } from "@reports/core/schedule";
import {
  reportScheduleSchema,
  scheduleFireSchema,
  type ReportSchedule,
  type ReportScheduleFire,
} from "@reports/core/wire";
import { createResponseSerializer, toRecordValidators } from "../resource/record-resource.ts";

/** Reports whether a caller may see the reports that a schedule starts. An administrator without the authority of the report type may not. */
export function maySeeReportsOfSchedule(
  { reportAccess }: { readonly reportAccess: Pick<ReportAccess, "visibleTo"> },
  principal: Principal,
  { reportType, owner }: Pick<Schedule, "reportType" | "owner">,
): boolean {
  return isReportVisible(reportAccess.visibleTo(principal), { reportType, requestedBy: owner });
}

const showSchedule = createResponseSerializer(reportScheduleSchema);
const showRun = createResponseSerializer(scheduleFireSchema);

/** Converts a schedule for responses, with the current names of filters and columns. `definition` is undefined if the report type is unknown. */
export function toScheduleResource(
  stored: Schedule,
  nextFires: readonly Date[],
  {
    definition,
    maySeeReport,
  }: { readonly definition: ReportTypeDefinition | undefined; readonly maySeeReport: boolean },
): ReportSchedule {
  const schedule = definition === undefined ? stored : withCurrentNames(definition, stored);
  const { status, lastFire } = schedule;
  const misfit = findScheduleMisfit(definition, stored);
  const code = schedule.pausedBecause ?? "REQUESTED";
  return showSchedule({
    ...schedule,
    searchParam: schedule.searchParam as ReportSchedule["searchParam"],
    pausedBecause: status === "PAUSED" ? { code, detail: allSchedulePauseCauses[code] } : null,
    unfitBecause: misfit === null ? null : { code: misfit.because, detail: misfit.detail },
    nextFires: nextFires.map((instant) => instant.toISOString()),
    lastFire: lastFire === null ? null : toRunResource(lastFire, maySeeReport),
  });
}

/** Converts a run of a schedule for responses. The report's ID is null for callers who may not see the report. */
export function toRunResource(run: ScheduleRun, maySeeReport: boolean): ReportScheduleFire {
  return showRun({ ...run, reportId: maySeeReport ? run.reportId : null });
}

/** Versions (one digit) of the JSON form of a schedule. Each entity tag contains its version, so that caches do not reuse a schedule in an older form. */
const representationVersions = { fit: 3, unfit: 4 } as const;

/** Returns the entity tag of a schedule. If-Match ignores the number of runs, so that a run between a read and a write does not fail the write. */
export function toScheduleValidators(schedule: Schedule, definition: ReportTypeDefinition | undefined) {
  const { revision, fires } = schedule;
  const form = findScheduleMisfit(definition, schedule) === null ? "fit" : "unfit";
  // A new version of the report type can rename or refuse filters, so the tag contains the type's version too. Older API instances read only one
  // number here.
  const representation = (definition?.version ?? 0) * 10 + representationVersions[form];
  return toRecordValidators({ version: { configuration: revision, observations: fires } }, representation);
}
