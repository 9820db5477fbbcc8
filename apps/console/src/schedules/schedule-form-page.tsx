import { session, findStartableType } from "../shell/session.ts";
import { PageHead } from "../parts/page-head.tsx";
import { buildHref, navigate, route } from "../shell/route.ts";
import { showToast } from "../shell/toasts.tsx";
import { useFormSubmission } from "../shell/use-form-submission.ts";
import { readStartDraft } from "../start/draft.ts";
import { EditSchedule } from "./edit-schedule.tsx";
import { readScheduleInput } from "./schedule-draft.ts";
import { ScheduleForm } from "./schedule-form.tsx";

/**
 * The form of a new or stored schedule, whose state is in the URL fragment. With the parameter `edit`, the fragment has the changes of a stored
 * schedule.
 */
export function ScheduleFormPage() {
  const { query } = route.value;
  const id = query.get("edit");
  return id === null ? <NewSchedule query={query} /> : <EditSchedule key={id} id={id} changes={query} />;
}

function NewSchedule({ query }: { readonly query: URLSearchParams }) {
  const type = findStartableType(query.get("type"));
  const submission = useFormSubmission();
  if (type === undefined)
    return (
      <>
        <PageHead eyebrow="New schedule" title="There is no report to schedule" />
        <p>
          Set up a report first. <a href={buildHref("new", { for: "new" })}>Set up a report</a>
        </p>
      </>
    );
  const start = readStartDraft(query, type);
  const input = readScheduleInput(query, start, type);
  return (
    <ScheduleForm
      eyebrow="New schedule"
      title={type.title}
      lead="Starts this report at set times, in your name."
      query={query}
      input={input}
      start={start}
      type={type}
      failure={submission.failure}
      failureTitle="The schedule was not created"
      button={submission.isBusy ? "Creating …" : "Create the schedule"}
      isBusy={submission.isBusy}
      onSubmit={submission.handle(async () => {
        const { record } = await session.value!.gateway.schedules.create(input);
        showToast("Schedule created.");
        navigate(buildHref(`schedules/${record.id}`));
      })}
    />
  );
}
