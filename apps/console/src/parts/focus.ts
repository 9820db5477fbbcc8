import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Returns a ref for a button. If the focused button disappears, the focus moves to the link of its row, or to the heading of the page. */
export function useFocusFallback(): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own === null || document.activeElement !== own) return;
      const link = own.closest("tr")?.querySelector<HTMLElement>("[data-row]");
      // Runs after the button, and perhaps its row, is removed. Does nothing if another element has taken the focus.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        (link?.isConnected === true ? link : document.querySelector("h1"))?.focus();
      });
    };
  }, []);
  return button;
}

/** Moves the focus from a disappearing filter chip to the next one, the previous one, or the first field of the filters. */
export function focusNextChip(chip: HTMLElement): void {
  const next = [chip.nextElementSibling, chip.previousElementSibling].find((one) => one?.matches(".chip"));
  if (next instanceof HTMLElement) next.focus();
  else focusOnFilters(chip);
}

/** Focuses the first field of the filters around this element. */
export function focusOnFilters(inside: HTMLElement): void {
  inside.closest("[data-filters]")?.querySelector<HTMLElement>("input, summary")?.focus();
}
