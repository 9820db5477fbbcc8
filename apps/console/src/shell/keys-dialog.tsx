import { Dialog } from "../parts/dialog.tsx";
import { isKeysDialogOpen, shortcutDescriptions } from "./keys.ts";

export function KeysDialog() {
  if (!isKeysDialogOpen.value) return null;
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (isKeysDialogOpen.value = false)}>
      <dl class="keys">
        {shortcutDescriptions.map(([key, meaning]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={() => (isKeysDialogOpen.value = false)}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
