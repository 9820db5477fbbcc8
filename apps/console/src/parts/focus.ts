import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Of a button that goes with the state of its record: who has used it by keyboard goes on at the row's link, or at the heading of the page,
 * and not at the top of everything.
 */
export function useFocusAfter(): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own === null || document.activeElement !== own) return;
      const link = own.closest("tr")?.querySelector<HTMLElement>("[data-row]");
      // Once it is gone, and perhaps the row with it, unless something else has taken the focus.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        (link?.isConnected === true ? link : document.querySelector("h1"))?.focus();
      });
    };
  }, []);
  return button;
}

/** Of a filter's chip that is about to go: the focus is at the next one, the one before, or the first field of the filters. */
export function focusBesideChip(chip: HTMLElement): void {
  const next = [chip.nextElementSibling, chip.previousElementSibling].find((one) => one?.matches(".chip"));
  if (next instanceof HTMLElement) next.focus();
  else focusOnFilters(chip);
}

/** The focus is at the first field of the filters around this. */
export function focusOnFilters(inside: HTMLElement): void {
  inside.closest("[data-filters]")?.querySelector<HTMLElement>("input, summary")?.focus();
}
