import type { ReportSchedule } from "@reports/client";
import { Deed } from "../parts/deed.tsx";
import { Removal } from "../parts/removal.tsx";
import { go, hrefOf } from "../shell/place.ts";
import { session, startableTypes } from "../shell/session.ts";
import { say } from "../shell/toasts.tsx";

/** What can be done with a schedule, as far as whoever is signed in may do it. */
export function ScheduleActions(props: {
  readonly schedule: ReportSchedule;
  /** Called when the schedule has changed. */
  readonly onChange: () => void;
  /** Called when the schedule is no more. */
  readonly onRemoved: () => void;
}) {
  const { schedule, onChange, onRemoved } = props;
  const { id, name: of, status } = schedule;
  const { schedules } = session.value!.gateway;
  const isServed = mayStart(schedule);
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
          act={async () => {
            await schedules.pause(id);
            say("The schedule is paused. It starts nothing until it is resumed.");
            onChange();
          }}
        />
      )}
      {isServed && status === "PAUSED" && (
        <Deed
          key="resume"
          word="Resume"
          of={of}
          act={async () => {
            await schedules.resume(id);
            say("The schedule is active again.");
            onChange();
          }}
        />
      )}
      <Removal
        key="delete"
        of={of}
        title="Delete this schedule?"
        text={`“${of}” starts no more reports. Those that it has started stay.`}
        done="The schedule is deleted."
        act={async () => schedules.remove(id)}
        onRemoved={onRemoved}
      />
    </>
  );
}

/** Whether it may be run and resumed: by its owner with the authority of its type, and by administrators, of a type that there is. */
function mayStart({ owner, reportType }: ReportSchedule): boolean {
  const { id, reportTypes } = session.value!;
  return (owner === id ? startableTypes.value : reportTypes).some((type) => type.reportType === reportType);
}
