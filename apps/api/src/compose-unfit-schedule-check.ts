import type { ReportCatalogue } from "@reports/core/report";
import { listUnfitSchedules, scheduleMisfitCauses, type Schedule } from "@reports/core/schedule";
import { createScheduleReader, type Database } from "@reports/db";
import type { Logger, Metrics } from "@reports/runtime";

const maxLoggedIds = 10;

export function composeUnfitScheduleCheck(parts: {
  readonly database: Database;
  readonly catalogue: Pick<ReportCatalogue, "find">;
  readonly metrics: Metrics;
  readonly logger: Logger;
}): () => Promise<void> {
  const { catalogue, metrics, logger } = parts;
  const scan = createScheduleReader(parts.database);
  const unfit = metrics.gauge({
    name: "report_schedules_unfit",
    help: "Schedules whose filters, options or type this instance does not accept. Checked at the start and every ten minutes.",
    labels: ["because"],
  });
  let logged = "";
  const onFailure = ({ id }: Schedule, error: unknown): void =>
    logger.error("a schedule could not be compared with its report type", { scheduleId: id, error });
  return async () => {
    const found = await listUnfitSchedules({ scan, catalogue, onFailure }, new AbortController().signal);
    for (const because of scheduleMisfitCauses) {
      const groups = found.filter((each) => each.because === because);
      unfit.set({ because }, groups.flatMap(({ scheduleIds }) => scheduleIds).length);
    }
    const asText = JSON.stringify(found);
    if (asText === logged) return;
    logged = asText;
    for (const { reportType, because, scheduleIds } of found) {
      const shown = scheduleIds.slice(0, maxLoggedIds);
      logger.warn("schedules do not fit their report type", {
        reportType,
        because,
        count: scheduleIds.length,
        scheduleIds: shown,
      });
    }
  };
}
