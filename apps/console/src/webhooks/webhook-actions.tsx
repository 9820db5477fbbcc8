import type { Webhook } from "@reports/client";
import { Deed, useHeld } from "../parts/deed.tsx";
import { Removal } from "../parts/removal.tsx";
import { session } from "../shell/session.ts";
import { say } from "../shell/toasts.tsx";

export function WebhookActions(props: {
  readonly webhook: Webhook;
  readonly onChange: () => void;
  readonly onRemoved: () => void;
}) {
  const { webhook, onChange, onRemoved } = props;
  const { id, url: of, status } = webhook;
  const { webhooks } = session.value!.gateway;
  const isHeld = useHeld(status);
  return (
    <>
      {status === "ACTIVE" ? (
        <Deed
          key="pause"
          word="Pause"
          of={of}
          isHeld={isHeld}
          act={async () => {
            await webhooks.pause(id);
            say("Webhook paused. Events wait until it is resumed.");
            onChange();
          }}
        />
      ) : (
        <Deed
          key="resume"
          word="Resume"
          of={of}
          isHeld={isHeld}
          act={async () => {
            await webhooks.resume(id);
            say("Webhook resumed. Waiting events are sent now.");
            onChange();
          }}
        />
      )}
      <Removal
        key="delete"
        of={of}
        title="Delete this webhook?"
        text={`Nothing more is sent to ${of}, including events that are waiting. This cannot be undone.`}
        done="Webhook deleted."
        act={async () => webhooks.remove(id)}
        onRemoved={onRemoved}
      />
    </>
  );
}
