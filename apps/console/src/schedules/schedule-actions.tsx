import type { ReportSchedule } from "@reports/client";
import { useState } from "preact/hooks";
import { Confirm } from "../parts/dialog.tsx";
import { go, hrefOf } from "../shell/place.ts";
import { session } from "../shell/session.ts";
import { attempt, say } from "../shell/toasts.tsx";

/** What can be done with a schedule. Who sees one may do all of it. */
export function ScheduleActions(props: {
  readonly schedule: ReportSchedule;
  /** Called when the schedule has changed. */
  readonly onChange: () => void;
  /** Called when the schedule is no more. */
  readonly onRemoved: () => void;
}) {
  const { schedule, onChange, onRemoved } = props;
  const { id, name, status } = schedule;
  const [isAsking, ask] = useState(false);
  const { schedules } = session.value!.gateway;
  const label = (word: string) => ({ "aria-label": `${word}: ${name}` });

  const run = (): Promise<boolean> =>
    attempt(async () => {
      const { reportId } = await schedules.run(id);
      if (reportId !== null) go(hrefOf(`reports/${reportId}`));
    });
  const pause = (): Promise<boolean> =>
    attempt(async () => {
      await schedules.pause(id);
      say("The schedule is paused. It starts nothing until it is resumed.");
      onChange();
    });
  const resume = (): Promise<boolean> =>
    attempt(async () => {
      await schedules.resume(id);
      say("The schedule is active again.");
      onChange();
    });
  const remove = async (): Promise<void> => {
    const isDone = await attempt(async () => schedules.remove(id));
    if (!isDone) return;
    say("The schedule is deleted.");
    onRemoved();
  };

  return (
    <>
      {status !== "ENDED" && (
        <button type="button" class="quiet strong" {...label("Run now")} onClick={() => void run()}>
          Run now
        </button>
      )}
      {status === "ACTIVE" && (
        <button type="button" class="quiet" {...label("Pause")} onClick={() => void pause()}>
          Pause
        </button>
      )}
      {status === "PAUSED" && (
        <button type="button" class="quiet" {...label("Resume")} onClick={() => void resume()}>
          Resume
        </button>
      )}
      <button type="button" class="quiet danger" {...label("Delete")} onClick={() => ask(true)}>
        Delete
      </button>
      {isAsking && (
        <Confirm
          title="Delete this schedule?"
          text={`“${name}” starts no more reports. Those that it has started stay.`}
          button="Delete"
          onConfirm={remove}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
}
