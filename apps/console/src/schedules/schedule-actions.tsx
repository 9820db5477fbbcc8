import type { ReportSchedule } from "@reports/client";
import { ActionButton, useCooldown } from "../parts/action-button.tsx";
import { RemoveButton } from "../parts/remove-button.tsx";
import { navigate, buildHref } from "../shell/route.ts";
import { findReportType, findStartableType, session } from "../shell/session.ts";
import { showToast } from "../shell/toasts.tsx";

export function ScheduleActions(props: {
  readonly schedule: ReportSchedule;
  readonly onChange: () => void;
  readonly onRemoved: () => void;
}) {
  const { schedule, onChange, onRemoved } = props;
  const { id, name, status } = schedule;
  const { schedules } = session.value!.gateway;
  const isServed = mayRunSchedule(schedule);
  const isCoolingDown = useCooldown(status);
  return (
    <>
      {isServed && status !== "ENDED" && (
        <ActionButton
          key="run"
          label="Run now"
          recordName={name}
          isPrimary
          act={async (options) => {
            const { reportId } = await schedules.run(id, options);
            if (reportId !== null) navigate(buildHref(`reports/${reportId}`));
          }}
        />
      )}
      {isServed && (
        <a key="edit" class="button quiet" aria-label={`Change: ${name}`} href={buildHref("schedule", { edit: id })}>
          Change
        </a>
      )}
      {status === "ACTIVE" && (
        <ActionButton
          key="pause"
          label="Pause"
          recordName={name}
          isCoolingDown={isCoolingDown}
          act={async () => {
            await schedules.pause(id);
            showToast("Schedule paused.");
            onChange();
          }}
        />
      )}
      {isServed && status === "PAUSED" && (
        <ActionButton
          key="resume"
          label="Resume"
          recordName={name}
          isCoolingDown={isCoolingDown}
          act={async () => {
            await schedules.resume(id);
            showToast("Schedule resumed.");
            onChange();
          }}
        />
      )}
      <RemoveButton
        key="delete"
        recordName={name}
        title="Delete this schedule?"
        text={`“${name}” will start no more reports. The reports it has started are kept.`}
        done="Schedule deleted."
        act={async () => schedules.remove(id)}
        onRemoved={onRemoved}
      />
    </>
  );
}

/**
 * Reports whether the user may run a schedule now. Its owner needs the authority for the report type. An administrator needs only a type that exists.
 */
function mayRunSchedule({ owner, reportType }: ReportSchedule): boolean {
  return (owner === session.value!.id ? findStartableType : findReportType)(reportType) !== undefined;
}
