import { Dialog } from "../parts/dialog.tsx";
import { isShortcutsDialogOpen, shortcutDescriptions } from "./keys.ts";

export function ShortcutsDialog() {
  if (!isShortcutsDialogOpen.value) return null;
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (isShortcutsDialogOpen.value = false)}>
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
        <button type="button" onClick={() => (isShortcutsDialogOpen.value = false)}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
