import type { ReportSchedule, Stored } from "@reports/client";
import { buildPatch, findChangedTexts } from "../parts/changed-fields.ts";
import { ConflictNotice } from "../parts/conflict-notice.tsx";
import { QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { buildHref, replaceRoute } from "../shell/route.ts";
import { findReportType, session } from "../shell/session.ts";
import { showToast } from "../shell/toasts.tsx";
import { useRecordEdit, type RecordEdit } from "../shell/use-record-edit.ts";
import { useFormSubmission } from "../shell/use-form-submission.ts";
import { readStartDraft } from "../start/draft.ts";
import { buildScheduleQuery, readScheduleInput } from "./schedule-draft.ts";
import { ScheduleForm } from "./schedule-form.tsx";
import { listScheduleTexts } from "./schedule-texts.ts";

interface EditProps {
  readonly id: string;
  readonly changes: URLSearchParams;
}

export function EditSchedule({ id, changes }: EditProps) {
  const edit = useRecordEdit(`edit schedule ${id}`, async (gateway, options) => gateway.schedules.get(id, options));
  return (
    <>
      {edit.result.value === null && <PageHead eyebrow="Change schedule" title="Schedule" />}
      <QueryContent result={edit.result}>
        {(stored) => <EditForm stored={stored} changes={changes} edit={edit} />}
      </QueryContent>
    </>
  );
}

function EditForm(props: {
  readonly stored: Stored<ReportSchedule>;
  readonly changes: URLSearchParams;
  readonly edit: RecordEdit<ReportSchedule>;
}) {
  const { stored, changes, edit } = props;
  const { record } = stored;
  const type = findReportType(record.reportType);
  const submission = useFormSubmission();
  if (type === undefined)
    return (
      <>
        <PageHead eyebrow="Change schedule" title={record.name} />
        <p>The type {record.reportType} is not known any more. The schedule can only be paused or deleted.</p>
      </>
    );
  const read = (query: URLSearchParams) => readScheduleInput(query, readStartDraft(query, type), type);
  const query = buildScheduleQuery(record, changes);
  const input = read(query);
  const patch = buildPatch({ ...read(buildScheduleQuery(record, new URLSearchParams())) }, { ...input });
  return (
    <ScheduleForm
      eyebrow="Change schedule"
      title={record.name}
      lead="The change applies from the next run on."
      query={query}
      input={input}
      start={readStartDraft(query, type)}
      type={type}
      failure={submission.failure}
      failureTitle="The schedule was not changed"
      button={submission.isBusy ? "Saving …" : "Save the changes"}
      isBusy={submission.isBusy}
      onSubmit={submission.handle(async () => {
        const isSaved = await edit.save(async (ifMatch) => {
          if (Object.keys(patch).length > 0)
            await session.value!.gateway.schedules.patch(record.id, patch, { ifMatch });
        });
        if (!isSaved) return;
        showToast("Schedule saved.");
        replaceRoute(buildHref(`schedules/${record.id}`));
      })}
    >
      {edit.replaced !== null && (
        <ConflictNotice
          changes={findChangedTexts(listScheduleTexts(edit.replaced, type), listScheduleTexts(record, type))}
        />
      )}
    </ScheduleForm>
  );
}
