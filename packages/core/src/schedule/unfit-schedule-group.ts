import { truncateText } from "../base/truncate-issues.ts";
import type { ReportCatalogue } from "../report/types/catalogue.ts";
import type { ReportTypeDefinition } from "../report/types/type-definition.ts";
import { findScheduledStartIssues } from "./schedule-input.ts";
import type { Schedule } from "./schedule-record.ts";
import type { DueScheduleStore, ScheduleReader } from "./schedule-store.ts";
import type { ScheduleMisfitCause } from "./schedule-values.ts";

export interface ScheduleMisfit {
  readonly because: ScheduleMisfitCause;
  /** Explains the mistakes to the owner. It can contain values of filters, so it must not be logged. */
  readonly detail: string;
}

export interface UnfitScheduleGroup {
  readonly reportType: string;
  readonly because: ScheduleMisfitCause;
  readonly scheduleIds: readonly string[];
}

const maxListedProblems = 3;
/** Limits each listed mistake, because the message of one can contain 200 names of columns. */
const maxProblemLength = 160;

/**
 * Returns why the report type does not accept the filters or options of a schedule; null if it does. Also returns null if the schedule was checked
 * against a later version of the type, because this process cannot evaluate that version. An unexpected error is passed to `onFailure`. The result
 * is then null, because only this process may have the error.
 */
export function findScheduleMisfit(
  definition: ReportTypeDefinition | undefined,
  schedule: Schedule,
  onFailure?: (error: unknown) => void,
): ScheduleMisfit | null {
  if (schedule.status === "ENDED") return null;
  if (definition === undefined)
    return { because: "UNKNOWN_REPORT_TYPE", detail: `The report type ${schedule.reportType} is not known here.` };
  if (definition.version < schedule.definitionVersion) return null;
  let problems: readonly string[];
  try {
    const at = schedule.nextFireAt ?? schedule.updatedAt;
    problems = findScheduledStartIssues(definition, schedule, at).map(({ message }) => message);
  } catch (error) {
    onFailure?.(error);
    return null;
  }
  if (problems.length === 0) return null;
  const more = problems.length - maxListedProblems;
  const shown = problems.slice(0, maxListedProblems).map((problem) => truncateText(problem, maxProblemLength));
  const listed = [...shown, ...(more > 0 ? [`There are ${more} more problems.`] : [])];
  return { because: "INVALID_PARAMETERS", detail: listed.join(" ") };
}

interface ComparisonDeps {
  readonly scan: ScheduleReader;
  readonly catalogue: Pick<ReportCatalogue, "find">;
  /** Called for each schedule that could not be compared or paused. The comparison continues with the others. */
  readonly onFailure: (schedule: Schedule, error: unknown) => void;
}

export async function listUnfitSchedules(
  { scan, catalogue, onFailure }: ComparisonDeps,
  signal: AbortSignal,
): Promise<readonly UnfitScheduleGroup[]> {
  const found = new Map<string, UnfitScheduleGroup & { readonly scheduleIds: string[] }>();
  for await (const page of scan.pages(signal)) {
    for (const schedule of page) {
      const { id, reportType } = schedule;
      const misfit = findScheduleMisfit(catalogue.find(reportType), schedule, (error) => onFailure(schedule, error));
      const because = misfit?.because;
      if (because === undefined) continue;
      const key = `${reportType} ${because}`;
      const group = found.get(key) ?? { reportType, because, scheduleIds: [] };
      found.set(key, group);
      group.scheduleIds.push(id);
    }
  }
  return [...found.values()];
}

/**
 * Pauses ACTIVE schedules that a newer version of their report type refuses. If this process does not know the type, or a schedule was checked
 * against the same or a later version, the schedule stays. docs/decisions/0105-a-newer-worker-pauses-unfit-schedules.md.
 */
export async function pauseUnfitSchedules(
  deps: ComparisonDeps & {
    readonly schedules: Pick<DueScheduleStore, "pauseUnfit">;
    readonly onPaused: (schedule: Schedule) => void;
  },
  signal: AbortSignal,
): Promise<void> {
  for await (const page of deps.scan.pages(signal)) {
    for (const schedule of page) {
      signal.throwIfAborted();
      const definition = deps.catalogue.find(schedule.reportType);
      if (schedule.status !== "ACTIVE" || definition === undefined) continue;
      if (definition.version <= schedule.definitionVersion) continue;
      if (findScheduleMisfit(definition, schedule, (error) => deps.onFailure(schedule, error)) === null) continue;
      try {
        if (await deps.schedules.pauseUnfit(schedule)) deps.onPaused(schedule);
      } catch (error) {
        deps.onFailure(schedule, error);
      }
    }
  }
}
