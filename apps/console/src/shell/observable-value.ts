import { useLayoutEffect, useReducer } from "preact/hooks";

export interface ObservableValue<Value> {
  value: Value;
}

const listeners = new Set<() => void>();

export function createObservableValue<Value>(first: Value): ObservableValue<Value> {
  let current = first;
  return {
    get value() {
      return current;
    },
    set value(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of listeners) listener();
    },
  };
}

/** Renders the calling component again after every change of a page state. Only the outermost component calls it, so all others are rendered, too. */
export function useRerenderOnStateChange(): void {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    const listener = (): void => render(undefined);
    listeners.add(listener);
    // Renders again, because a page state may have changed between the first rendering and this effect.
    listener();
    return () => void listeners.delete(listener);
  }, []);
}
