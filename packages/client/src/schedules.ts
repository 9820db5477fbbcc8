import type { CallOptions, StartOptions, WriteOptions } from "./call-options.ts";
import { createCollectionMethods, createPauseAndResumeMethods, type Collection, type Stored } from "./collection.ts";
import type { List } from "./list.ts";
import { createResourceClientFactory } from "./resource-client.ts";
import type { Transport } from "./transport/send.ts";
import type { ReportScheduleInputOf, ReportSchedulePatchOf, ReportTypeName } from "./typed-requests.ts";
import type { ReportSchedule, ReportScheduleFire, ReportScheduleInput } from "./wire/generated/report-schedule.ts";
import type { ReportScheduleFireQuery, ReportScheduleQuery } from "./wire/generated/queries.ts";

/** The fields of a schedule that decide when it runs. */
export type ScheduleTiming = Pick<ReportScheduleInput, "cron" | "timezone" | "startsAt" | "endsAt">;

/** Reads and writes schedules, which start reports at set times. docs/reference/resources/report-schedules.md. */
export interface ReportSchedules<Types = unknown> extends Omit<
  Collection<ReportSchedule, ReportScheduleInput, ReportScheduleQuery>,
  "create" | "replace" | "patch"
> {
  /** Creates a schedule. The client does not retry this request: if only the response was lost, a retry would create a second schedule. */
  create(input: ReportScheduleInputOf<Types>, options?: CallOptions): Promise<Stored<ReportSchedule>>;
  /** Replaces a schedule. Omitted optional fields are reset to their defaults. */
  replace(id: string, input: ReportScheduleInputOf<Types>, options?: WriteOptions): Promise<Stored<ReportSchedule>>;
  /** Changes fields of a schedule. Null resets a field to its default. Only with `Name` can the compiler compare the changes with one report type. */
  patch<Name extends ReportTypeName<Types> = ReportTypeName<Types>>(
    id: string,
    changes: ReportSchedulePatchOf<Types, Name>,
    options?: WriteOptions,
  ): Promise<Stored<ReportSchedule>>;
  pause(id: string, options?: CallOptions): Promise<Stored<ReportSchedule>>;
  resume(id: string, options?: CallOptions): Promise<Stored<ReportSchedule>>;
  /** Runs a schedule now. Retries of the request run it only once. */
  run(id: string, options?: StartOptions): Promise<ReportScheduleFire>;
  /** Lists the runs of a schedule, newest first. */
  fires(id: string, query?: ReportScheduleFireQuery, options?: CallOptions): List<ReportScheduleFire>;
  fire(id: string, fireId: string, options?: CallOptions): Promise<ReportScheduleFire>;
  /** Returns the next five times (RFC 3339, in UTC) of a schedule that does not exist yet. Rejects with GatewayError 400 if it could not be created. */
  times(timing: ScheduleTiming, options?: CallOptions): Promise<readonly string[]>;
}

export function createScheduleMethods(transport: Transport): ReportSchedules {
  const root = "report-schedules";
  const at = createResourceClientFactory(transport, root);
  const collection = createCollectionMethods<ReportSchedule, ReportScheduleInput, ReportScheduleQuery>(transport, root);
  return {
    ...collection,
    ...createPauseAndResumeMethods(collection.patch),
    run: async (id, options) => at(id, "fires").start({}, options),
    fires: (id, query, options) => at(id, "fires").list(query, options),
    fire: async (id, fireId, options) => at(id, "fires", fireId).get(options),
    async times({ cron, timezone, startsAt, endsAt }, options) {
      const timing = { cron, timezone, startsAt: startsAt ?? undefined, endsAt: endsAt ?? undefined };
      const resource = createResourceClientFactory(transport, "schedule-times")();
      const times = await resource.get<readonly { at: string }[]>(options, timing);
      return times.map(({ at: time }) => time);
    },
  };
}
