import {
  chooseInitialReportLane,
  overloadLimitsOf,
  refuseUnknownValues,
  type FilterValueLookup,
} from "@reports/core/report";
import { readLaneLoads, type Database, type RowEstimator } from "@reports/db";
import type { ApiConfig } from "./config.ts";
import { createOverloadGuard } from "./limits/overload-guard.ts";
import { createStartLimitsLookup } from "./limits/start-limits.ts";
import type { EndpointsDeps } from "./routes/endpoints.ts";

export function composeReportStartDeps(
  config: ApiConfig,
  { database, rowSizes }: { readonly database: Database; readonly rowSizes: RowEstimator },
  filterValues: FilterValueLookup,
): EndpointsDeps["starts"] {
  const overload = { waiting: config.overloadQueueLength, oldestWaitSeconds: config.overloadQueueAgeSeconds };
  const countAtMost = Math.max(1, ...Object.values(overload.waiting));
  return {
    coalesceGetStarts: config.coalesceGetStarts,
    chooseLane: async ({ definition, searchParam, options }) =>
      chooseInitialReportLane(options.format, await rowSizes.estimate(definition, searchParam, options.timezone)),
    refuseUnknownValues: async (input, readFrom) =>
      refuseUnknownValues(filterValues, input, { readFrom, failure: "The report cannot be started" }),
    findStartLimits: createStartLimitsLookup(
      { perMinute: config.startLimitPerMinute, unfinished: config.unfinishedLimit },
      config.startLimits ?? [],
    ),
    refuseOverload: createOverloadGuard({
      limitsOf: (lane) => overloadLimitsOf(lane, overload),
      readLoads: async () => database.query(async (queries) => readLaneLoads(queries, countAtMost)),
    }),
  };
}
