import type { Webhook } from "@reports/client";
import { Deed } from "../parts/deed.tsx";
import { Removal } from "../parts/removal.tsx";
import { session } from "../shell/session.ts";
import { say } from "../shell/toasts.tsx";

/** What can be done with a webhook. Who sees one may do all of it. */
export function WebhookActions(props: {
  readonly webhook: Webhook;
  /** Called when the webhook has changed. */
  readonly onChange: () => void;
  /** Called when the webhook is no more. */
  readonly onRemoved: () => void;
}) {
  const { webhook, onChange, onRemoved } = props;
  const { id, url: of, status } = webhook;
  const { webhooks } = session.value!.gateway;
  return (
    <>
      {status === "ACTIVE" ? (
        <Deed
          key="pause"
          word="Pause"
          of={of}
          act={async () => {
            await webhooks.pause(id);
            say("The webhook is paused. What happens from now on waits.");
            onChange();
          }}
        />
      ) : (
        <Deed
          key="resume"
          word="Resume"
          of={of}
          act={async () => {
            await webhooks.resume(id);
            say("The webhook is active again. What has waited is sent.");
            onChange();
          }}
        />
      )}
      <Removal
        key="delete"
        of={of}
        title="Delete this webhook?"
        text={`Nothing is sent to ${of} any more, what waits neither. This cannot be undone.`}
        done="The webhook is deleted."
        act={async () => webhooks.remove(id)}
        onRemoved={onRemoved}
      />
    </>
  );
}
