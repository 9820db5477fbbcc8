import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Returns a ref for a button that may disappear. If it disappears with the focus, the focus moves to the link of its row, or to the page's heading.
 */
export function useFocusFallback(): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own === null || document.activeElement !== own) return;
      const link = own.closest("tr")?.querySelector<HTMLElement>("[data-row]");
      // The timer waits until the button, and perhaps its row, is removed. If another element has the focus by then, it keeps the focus.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        (link?.isConnected === true ? link : document.querySelector("h1"))?.focus();
      });
    };
  }, []);
  return button;
}

export function focusNextChip(chip: HTMLElement): void {
  const next = [chip.nextElementSibling, chip.previousElementSibling].find((one) => one?.matches(".chip"));
  if (next instanceof HTMLElement) next.focus();
  else focusFirstFilter(chip);
}

export function focusFirstFilter(inside: HTMLElement): void {
  inside.closest("[data-filters]")?.querySelector<HTMLElement>("input, summary")?.focus();
}
