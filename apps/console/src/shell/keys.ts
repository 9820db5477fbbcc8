import { signal } from "@preact/signals";
import { navigate, hrefOf } from "./route.ts";
import { session, startableTypes } from "./session.ts";

export const areKeysShown = signal(false);

/** The keys and their effects, for the dialog of keyboard shortcuts. */
export const keys: readonly (readonly [key: string, meaning: string])[] = [
  ["/", "go to the filters of this page"],
  ["n", "new report"],
  ["↑ ↓", "move from row to row"],
  ["Enter", "open the row"],
  ["?", "show these keys"],
  ["Esc", "close what is open"],
];

const actions: Readonly<Record<string, () => boolean>> = {
  "/": () => focusOn(document.querySelector<HTMLElement>("[data-filters] :is(input, select)")),
  n() {
    if (startableTypes.value.length > 0) navigate(hrefOf("new"));
    return true;
  },
  "?": () => (areKeysShown.value = true),
  ArrowDown: () => moveBy(1),
  ArrowUp: () => moveBy(-1),
};

/** Handles the keyboard shortcuts. Ignores keys typed into fields and dialogs, and keys with Ctrl, Alt or Meta. */
export function listenForKeys(): void {
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (session.value === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input, select, textarea, dialog") !== null) return;
    if (actions[event.key]?.() === true) event.preventDefault();
  });
}

function moveBy(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const row = document.activeElement?.closest("tr, li")?.querySelector<HTMLElement>("[data-row]");
  const at = row === undefined || row === null ? -1 : rows.indexOf(row);
  return focusOn(rows[at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step] ?? null);
}

function focusOn(element: HTMLElement | null): boolean {
  element?.focus();
  return element !== null;
}
