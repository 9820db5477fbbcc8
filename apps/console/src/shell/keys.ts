import { navigate, buildHref } from "./route.ts";
import { session, listStartableTypes } from "./session.ts";
import { createObservableValue } from "./observable-value.ts";

export const isShortcutsDialogOpen = createObservableValue(false);

export const shortcutDescriptions: readonly (readonly [key: string, meaning: string])[] = [
  ["/", "go to the search box or the filters of this page"],
  ["n", "new report"],
  ["↑ ↓", "move from row to row"],
  ["Enter", "open the row"],
  ["?", "show these keys"],
  ["Esc", "close what is open"],
];

const shortcutActions: Readonly<Record<string, () => boolean>> = {
  "/": () => focusElement(document.querySelector<HTMLElement>("[data-filters] :is(input, select)")),
  n() {
    if (listStartableTypes().length > 0) navigate(buildHref("new"));
    return true;
  },
  "?": () => (isShortcutsDialogOpen.value = true),
  ArrowDown: () => moveRowFocus(1),
  ArrowUp: () => moveRowFocus(-1),
};

export function listenForShortcuts(): void {
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (session.value === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input, select, textarea, dialog") !== null) return;
    if (shortcutActions[event.key]?.() === true) event.preventDefault();
  });
}

function moveRowFocus(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const row = document.activeElement?.closest("tr, li")?.querySelector<HTMLElement>("[data-row]");
  const at = row === undefined || row === null ? -1 : rows.indexOf(row);
  return focusElement(rows[at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step] ?? null);
}

function focusElement(element: HTMLElement | null): boolean {
  element?.focus();
  return element !== null;
}
