import { CopyButton } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { formatTime } from "../parts/time-text.ts";

/** Shows a secret that the API returns only once. The console forgets the secret when the dialog is closed. */
export function SecretDialog(props: {
  readonly secret: string;
  /** The time until which deliveries are also signed with the previous secret. Null if there is no previous secret. */
  readonly previousEndsAt: string | null;
  readonly onClose: () => void;
}) {
  const { secret, previousEndsAt, onClose } = props;
  return (
    <Dialog title="The webhook’s secret">
      <p>The receiver uses it to verify that a request comes from this gateway. It is shown only once: copy it now.</p>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
      {previousEndsAt !== null && (
        <p class="hint">The previous secret also signs until {formatTime(previousEndsAt)}.</p>
      )}
      <div class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}
