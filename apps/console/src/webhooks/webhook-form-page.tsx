import type { CreatedWebhook } from "@reports/client";
import { useState } from "preact/hooks";
import { buildHref, replaceRoute, route } from "../shell/route.ts";
import { session } from "../shell/session.ts";
import { useFormSubmission } from "../shell/use-form-submission.ts";
import { EditWebhook } from "./edit-webhook.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { readWebhookInput } from "./webhook-draft.ts";
import { WebhookForm } from "./webhook-form.tsx";

export function WebhookFormPage() {
  const { query } = route.value;
  const id = query.get("edit");
  return id === null ? <NewWebhook query={query} /> : <EditWebhook key={id} id={id} changes={query} />;
}

function NewWebhook({ query }: { readonly query: URLSearchParams }) {
  const submission = useFormSubmission();
  const [created, setCreated] = useState<CreatedWebhook | null>(null);
  const input = readWebhookInput(query);
  return (
    <>
      <WebhookForm
        title="New webhook"
        lead="Your system gets a signed request that says what has happened."
        query={query}
        input={input}
        failure={submission.failure}
        failureTitle="The webhook was not created"
        secretText="Its secret is shown once, when it has been created."
        button={submission.isBusy ? "Creating …" : "Create the webhook"}
        isBusy={submission.isBusy}
        onSubmit={submission.handle(async () => setCreated(await session.value!.gateway.webhooks.create(input)))}
      />
      {created !== null && (
        <SecretDialog
          secret={created.secret}
          previousEndsAt={null}
          // Removes the webhook's address from the browser history, because it may be confidential.
          onClose={() => replaceRoute(buildHref(`webhooks/${created.id}`))}
        />
      )}
    </>
  );
}
