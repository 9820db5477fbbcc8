import { Dialog } from "../parts/dialog.tsx";
import { areKeysShown, keys } from "./keys.ts";

export function KeysDialog() {
  if (!areKeysShown.value) return null;
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (areKeysShown.value = false)}>
      <dl class="keys">
        {keys.map(([key, meaning]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={() => (areKeysShown.value = false)}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
