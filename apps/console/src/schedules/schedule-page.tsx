import type { ReportSchedule } from "@reports/client";
import { QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { toSentenceCase } from "../parts/text.ts";
import type { PageProps } from "../shell/page-props.ts";
import { navigate, buildHref } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { findReportType } from "../shell/session.ts";
import { ScheduleRuns } from "./schedule-runs.tsx";
import { NextRuns } from "./next-runs.tsx";
import { ScheduleActions } from "./schedule-actions.tsx";
import { ScheduleFacts } from "./schedule-facts.tsx";
import { isPausedByService, ScheduleState } from "./schedule-state.tsx";

const pollMs = 10_000;

/** Advice to the user by the reason for which the service has paused a schedule. docs/reference/resources/report-schedules.md#rights-of-the-owner. */
const adviceByPauseReason: Readonly<Record<string, string>> = {
  AUTHORITY_REVOKED: "Once its owner has the authority for the report type again, resume it.",
  OWNER_NOT_SEEN: "Its owner has to resume it, to confirm that it is still wanted.",
  KEEPS_FAILING: "Look at its latest reports below. Once the cause is gone, resume it.",
  UNKNOWN_REPORT_TYPE: "Tell the operator of the gateway. Once a worker serves the type again, resume it.",
};

function adviceFor({ status, unfitBecause }: ReportSchedule, code: string): string {
  if (unfitBecause === null) return adviceByPauseReason[code] ?? "Once that is fixed, resume it.";
  if (status === "ACTIVE") return "Change it. Until then, its runs can be refused, and the service can pause it.";
  return status === "PAUSED" ? "Change it, then resume it." : "Change it.";
}

export function SchedulePage({ id }: PageProps) {
  const result = useQuery(
    `schedule ${id}`,
    async (gateway, options) => (await gateway.schedules.get(id, options)).record,
    () => pollMs,
  );
  return (
    <>
      {result.value === null && <PageHead eyebrow="Schedule" title="Schedule" />}
      <QueryContent result={result}>
        {(schedule) => <ScheduleDetails schedule={schedule} reload={result.reload} />}
      </QueryContent>
    </>
  );
}

function ScheduleDetails({ schedule, reload }: { readonly schedule: ReportSchedule; readonly reload: () => void }) {
  const { name, reportType, pausedBecause, unfitBecause, lastFire } = schedule;
  // `unfitBecause` says why the report type does not accept the schedule. It is more specific than the reason of the pause.
  const cause = unfitBecause ?? (isPausedByService(schedule) ? pausedBecause : null);
  const type = findReportType(reportType);
  return (
    <>
      <PageHead
        eyebrow={`Schedule · ${type?.title ?? reportType}`}
        title={name}
        lead={<ScheduleState schedule={schedule} />}
      >
        <ScheduleActions schedule={schedule} onChange={reload} onRemoved={() => navigate(buildHref("schedules"))} />
      </PageHead>
      {cause !== null && (
        <div class="notice warn">
          <h2>{toSentenceCase(cause.code)}</h2>
          <p>{cause.detail}</p>
          <p>
            <b>What to do:</b> {adviceFor(schedule, cause.code)}
          </p>
        </div>
      )}
      <div class="two">
        <div>
          {/* The key makes the history reload immediately after a new run. */}
          <ScheduleRuns key={lastFire?.id} schedule={schedule} />
        </div>
        <div>
          <NextRuns schedule={schedule} />
          <ScheduleFacts schedule={schedule} type={type} />
        </div>
      </div>
    </>
  );
}
