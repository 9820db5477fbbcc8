import type { ReportSchedule } from "@reports/client";
import { Deed, useHeld } from "../parts/deed.tsx";
import { Removal } from "../parts/removal.tsx";
import { go, hrefOf } from "../shell/place.ts";
import { session, startableTypes } from "../shell/session.ts";
import { say } from "../shell/toasts.tsx";

export function ScheduleActions(props: {
  readonly schedule: ReportSchedule;
  readonly onChange: () => void;
  readonly onRemoved: () => void;
}) {
  const { schedule, onChange, onRemoved } = props;
  const { id, name: of, status } = schedule;
  const { schedules } = session.value!.gateway;
  const isServed = mayStart(schedule);
  const isHeld = useHeld(status);
  return (
    <>
      {isServed && status !== "ENDED" && (
        <Deed
          key="run"
          word="Run now"
          of={of}
          isFirst
          act={async () => {
            const { reportId } = await schedules.run(id);
            if (reportId !== null) go(hrefOf(`reports/${reportId}`));
          }}
        />
      )}
      {status === "ACTIVE" && (
        <Deed
          key="pause"
          word="Pause"
          of={of}
          isHeld={isHeld}
          act={async () => {
            await schedules.pause(id);
            say("Schedule paused. It starts nothing until it is resumed.");
            onChange();
          }}
        />
      )}
      {isServed && status === "PAUSED" && (
        <Deed
          key="resume"
          word="Resume"
          of={of}
          isHeld={isHeld}
          act={async () => {
            await schedules.resume(id);
            say("Schedule resumed.");
            onChange();
          }}
        />
      )}
      <Removal
        key="delete"
        of={of}
        title="Delete this schedule?"
        text={`“${of}” will start no more reports. The reports it has started are kept.`}
        done="Schedule deleted."
        act={async () => schedules.remove(id)}
        onRemoved={onRemoved}
      />
    </>
  );
}

/** Owners need the authority of the type, which must exist; administrators do not. */
function mayStart({ owner, reportType }: ReportSchedule): boolean {
  const { id, reportTypes } = session.value!;
  return (owner === id ? startableTypes.value : reportTypes).some((type) => type.reportType === reportType);
}
