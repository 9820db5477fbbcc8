import { useState } from "preact/hooks";
import { FailedStart, focusFirstInvalid } from "../parts/failed-start.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { toFailure, type Failure } from "../shell/failure.ts";
import { navigate, buildHref, route } from "../shell/route.ts";
import { session, startableTypes } from "../shell/session.ts";
import { showToast } from "../shell/toasts.tsx";
import { readDraft, buildDraftQuery } from "../start/draft.ts";
import { issuesByField } from "../parts/issues.ts";
import { readScheduleInput, scheduleFieldLabel } from "./schedule-draft.ts";
import { ScheduleFields } from "./schedule-fields.tsx";
import { StartSummary } from "./start-summary.tsx";

/** The form of a new schedule for a report that was set up before. The URL fragment holds its whole state, so a link to the page is a preset. */
export function NewSchedulePage() {
  const { query } = route.value;
  const type = startableTypes.value.find(({ reportType }) => reportType === query.get("type"));
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (type === undefined)
    return (
      <>
        <PageHead eyebrow="New schedule" title="There is no report to schedule" />
        <p>
          Set up a report first, then choose “Schedule this”. <a href={buildHref("new")}>Set up a report</a>
        </p>
      </>
    );
  const start = readDraft(query, type);
  const input = readScheduleInput(query, start, type);
  const errors = issuesByField(failure?.issues ?? []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      const { record } = await session.value!.gateway.schedules.create(input);
      showToast("Schedule created.");
      navigate(buildHref(`schedules/${record.id}`));
    } catch (error) {
      const failed = toFailure(error);
      setFailure(failed);
      if (failed !== null) focusFirstInvalid(failed);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <PageHead eyebrow="New schedule" title={type.title} lead="Starts this report at set times, in your name.">
        <a class="button quiet" href={buildHref("new", buildDraftQuery(start))}>
          Change the report
        </a>
      </PageHead>
      <form class="two" onSubmit={(event) => void submit(event)} noValidate>
        <div>
          <ScheduleFields query={query} input={input} errors={errors} />
        </div>
        <aside class="box" aria-label="Schedule">
          <StartSummary start={start} type={type} />
          <FailedStart failure={failure} title="The schedule was not created" labelOf={scheduleFieldLabel} />
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {isBusy ? "Creating …" : "Create the schedule"}
          </button>
        </aside>
      </form>
    </>
  );
}
