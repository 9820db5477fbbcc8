import type { CallOptions, StartOptions } from "./call-options.ts";
import { createCollection, pauseAndResume, type Collection, type Stored } from "./collection.ts";
import type { List } from "./list.ts";
import { resourcesAt } from "./resource.ts";
import type { Transport } from "./transport/send.ts";
import type { ReportSchedule, ReportScheduleFire, ReportScheduleInput } from "./wire/generated/report-schedule.ts";
import type { ReportScheduleFireQuery, ReportScheduleQuery } from "./wire/generated/queries.ts";

/** Reads and writes schedules, which start reports at set times. docs/reference/resources/report-schedules.md. */
export interface ReportSchedules extends Collection<ReportSchedule, ReportScheduleInput, ReportScheduleQuery> {
  pause(id: string, options?: CallOptions): Promise<Stored<ReportSchedule>>;
  resume(id: string, options?: CallOptions): Promise<Stored<ReportSchedule>>;
  /** Runs a schedule now. Retries of the request run it only once. */
  run(id: string, options?: StartOptions): Promise<ReportScheduleFire>;
  /** Lists the runs of a schedule, newest first. */
  fires(id: string, query?: ReportScheduleFireQuery, options?: CallOptions): List<ReportScheduleFire>;
  fire(id: string, fireId: string, options?: CallOptions): Promise<ReportScheduleFire>;
}

export function createReportSchedules(transport: Transport): ReportSchedules {
  const root = "report-schedules";
  const at = resourcesAt(transport, root);
  const collection = createCollection<ReportSchedule, ReportScheduleInput, ReportScheduleQuery>(transport, root);
  return {
    ...collection,
    ...pauseAndResume(collection.patch),
    run: async (id, options) => at(id, "fires").start({}, options),
    fires: (id, query, options) => at(id, "fires").list(query, options),
    fire: async (id, fireId, options) => at(id, "fires", fireId).get(options),
  };
}
