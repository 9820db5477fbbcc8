import type { Stored, Webhook } from "@reports/client";
import { buildPatch, findChangedTexts } from "../parts/changed-fields.ts";
import { ConflictNotice } from "../parts/conflict-notice.tsx";
import { QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { buildHref, replaceRoute } from "../shell/route.ts";
import { session } from "../shell/session.ts";
import { showToast } from "../shell/toasts.tsx";
import { useRecordEdit, type RecordEdit } from "../shell/use-record-edit.ts";
import { useFormSubmission } from "../shell/use-form-submission.ts";
import { buildWebhookQuery, readWebhookInput } from "./webhook-draft.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { listWebhookTexts } from "./webhook-texts.ts";

export function EditWebhook({ id, changes }: { readonly id: string; readonly changes: URLSearchParams }) {
  const edit = useRecordEdit(`edit webhook ${id}`, async (gateway, options) =>
    gateway.webhooks.getWithEtag(id, options),
  );
  return (
    <>
      {edit.result.value === null && <PageHead eyebrow="Webhooks" title="Change webhook" />}
      <QueryContent result={edit.result}>
        {(stored) => <EditForm stored={stored} changes={changes} edit={edit} />}
      </QueryContent>
    </>
  );
}

function EditForm(props: {
  readonly stored: Stored<Webhook>;
  readonly changes: URLSearchParams;
  readonly edit: RecordEdit<Webhook>;
}) {
  const { stored, changes, edit } = props;
  const { record } = stored;
  const submission = useFormSubmission();
  const query = buildWebhookQuery(record, changes);
  const input = readWebhookInput(query);
  const before = readWebhookInput(buildWebhookQuery(record, new URLSearchParams()));
  const patch = buildPatch({ ...before }, { ...input });
  return (
    <WebhookForm
      title="Change webhook"
      lead="Waiting events go to the new address. The secret stays."
      query={query}
      input={input}
      failure={submission.failure}
      failureTitle="The webhook was not changed"
      secretText="Its secret stays."
      button={submission.isBusy ? "Saving …" : "Save the changes"}
      isBusy={submission.isBusy}
      onSubmit={submission.handle(async () => {
        const isSaved = await edit.save(async (ifMatch) => {
          if (Object.keys(patch).length > 0) await session.value!.gateway.webhooks.patch(record.id, patch, { ifMatch });
        });
        if (!isSaved) return;
        showToast("Webhook saved.");
        // Removes the webhook's address from the browser history, because it may be confidential.
        replaceRoute(buildHref(`webhooks/${record.id}`));
      })}
    >
      {edit.replaced !== null && (
        <ConflictNotice changes={findChangedTexts(listWebhookTexts(edit.replaced), listWebhookTexts(record))} />
      )}
    </WebhookForm>
  );
}
