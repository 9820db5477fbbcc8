import type { CallOptions } from "./call-options.ts";
import { collectionOf, type Collection, type Stored } from "./collection.ts";
import { listOf, type List } from "./list.ts";
import { start, type StartOptions } from "./start-options.ts";
import { call } from "./transport/call.ts";
import type { Transport } from "./transport/send.ts";
import type {
  ReportSchedule,
  ReportScheduleFire,
  ReportScheduleInput,
  ScheduleStatus,
} from "./wire/report-schedule.ts";
import type { ReportScheduleFireQuery, ReportScheduleQuery } from "./wire/queries.ts";

/** What starts reports by itself. docs/contract.md §10. */
export interface ReportSchedules extends Collection<ReportSchedule, ReportScheduleInput, ReportScheduleQuery> {
  pause(id: string, options?: CallOptions): Promise<Stored<ReportSchedule>>;
  resume(id: string, options?: CallOptions): Promise<Stored<ReportSchedule>>;
  /** Runs it now, once, however often the request has to be sent. */
  run(id: string, options?: StartOptions): Promise<ReportScheduleFire>;
  /** What came of its times, newest first. */
  fires(id: string, query?: ReportScheduleFireQuery, options?: CallOptions): List<ReportScheduleFire>;
  fire(id: string, fireId: string, options?: CallOptions): Promise<ReportScheduleFire>;
}

export function schedulesOf(transport: Transport): ReportSchedules {
  const path = ["report-schedules"];
  const collection = collectionOf<ReportSchedule, ReportScheduleInput, ReportScheduleQuery>(transport, path);
  const become = (status: ScheduleStatus) => async (id: string, options?: CallOptions) =>
    collection.patch(id, { status }, options);
  return {
    ...collection,
    pause: become("PAUSED"),
    resume: become("ACTIVE"),
    run: async (id, options) => start(transport, [...path, id, "fires"], {}, options),
    fires: (id, query, options) => listOf<ReportScheduleFire>(transport, [...path, id, "fires"], query, options),
    fire: async (id, fireId, options) => call(transport, "GET", [...path, id, "fires", fireId], options),
  };
}
