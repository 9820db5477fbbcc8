import { schedulePauseCauses, scheduleSkipCauses } from "@reports/core/schedule";
import { combineLabels, type Metrics, type ReportCounters } from "@reports/runtime";
import type { ScheduleRunnerDeps } from "./compose-schedule-runner.ts";

export function createScheduleMetrics(
  metrics: Metrics,
  counters: Pick<ReportCounters, "created">,
): ScheduleRunnerDeps["metrics"] {
  const pauseCauses = Object.keys(schedulePauseCauses);
  const runs = metrics.counter({
    name: "reports_schedule_fires_total",
    help: "Runs of schedules, by outcome and reason.",
    labels: ["outcome", "because"],
    series: [
      { outcome: "STARTED", because: "" },
      ...combineLabels({ outcome: ["SKIPPED"], because: Object.keys(scheduleSkipCauses) }),
      ...combineLabels({ outcome: ["REFUSED"], because: pauseCauses }),
    ],
  });
  const pauses = metrics.counter({
    name: "reports_schedules_paused_total",
    help: "Schedules that the service paused, by reason.",
    labels: ["because"],
    series: combineLabels({ because: pauseCauses }),
  });
  const late = metrics.histogram({
    name: "reports_schedule_fire_delay_seconds",
    help: "How late reports of schedules were started.",
    buckets: [1, 5, 10, 30, 60, 300, 900, 3_600],
  });
  const failures = metrics.counter({
    name: "reports_schedule_fire_failures_total",
    help: "Runs of schedules that failed and are retried.",
  });
  return {
    runFailures: { inc: () => failures.inc() },
    observePause: (because) => pauses.inc({ because }),
    observeRun({ decision, at }) {
      const { start } = decision;
      if (start !== null) counters.created({ reportType: start.definition.type, options: start.options });
      for (const { outcome, because, count, scheduledFor } of decision.rows) {
        runs.inc({ outcome, because: because ?? "" }, count);
        if (outcome === "STARTED") late.observe((at.getTime() - scheduledFor.getTime()) / 1000);
      }
      if (decision.pause !== null) pauses.inc({ because: decision.pause });
    },
  };
}
