import type { ReportPreviews } from "@reports/core/report";
import type { Metrics } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";
import { createListSlots, previewKind } from "./limits/list-slots.ts";
import { createRequestLimiter } from "./limits/request-limiter.ts";
import type { EndpointsDeps } from "./routes/endpoints.ts";

export function composePreviews(config: ApiConfig, previews: ReportPreviews, metrics: Metrics): EndpointsDeps["rows"] {
  return {
    previews,
    previewSlots: createListSlots(
      {
        perPrincipal: config.listLimitPerPrincipal,
        connections: config.previewConnections,
        deadlineMs: config.previewTimeoutSeconds * 1000,
      },
      metrics,
      previewKind,
    ),
    previewLimiter: createRequestLimiter({
      perMinute: config.previewLimitPerMinute,
      counted: { name: "previews", noun: "previews", code: "too-many-previews" },
    }),
  };
}
