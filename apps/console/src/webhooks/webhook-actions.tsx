import type { Webhook } from "@reports/client";
import { ActionButton, useCooldown } from "../parts/action-button.tsx";
import { RemoveButton } from "../parts/remove-button.tsx";
import { buildHref } from "../shell/route.ts";
import { session } from "../shell/session.ts";
import { showToast } from "../shell/toasts.tsx";

export function WebhookActions(props: {
  readonly webhook: Webhook;
  readonly onChange: () => void;
  readonly onRemoved: () => void;
}) {
  const { webhook, onChange, onRemoved } = props;
  const { id, url, status } = webhook;
  const { webhooks } = session.value!.gateway;
  const isCoolingDown = useCooldown(status);
  return (
    <>
      <a key="edit" class="button quiet" aria-label={`Change: ${url}`} href={buildHref("webhook", { edit: id })}>
        Change
      </a>
      {status === "ACTIVE" ? (
        <ActionButton
          key="pause"
          label="Pause"
          recordName={url}
          isCoolingDown={isCoolingDown}
          act={async () => {
            await webhooks.pause(id);
            showToast("Webhook paused. Events wait.");
            onChange();
          }}
        />
      ) : (
        <ActionButton
          key="resume"
          label="Resume"
          recordName={url}
          isCoolingDown={isCoolingDown}
          act={async () => {
            await webhooks.resume(id);
            showToast("Webhook resumed. Waiting events are sent now.");
            onChange();
          }}
        />
      )}
      <RemoveButton
        key="delete"
        recordName={url}
        title="Delete this webhook?"
        text={`Nothing more is sent to ${url}, including events that are waiting. This cannot be undone.`}
        done="Webhook deleted."
        act={async () => webhooks.remove(id)}
        onRemoved={onRemoved}
      />
    </>
  );
}
