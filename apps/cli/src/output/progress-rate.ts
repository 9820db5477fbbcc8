export interface ProgressRate {
  /** Adds an observation. A smaller amount than before resets the rate, because another attempt or part of the work has begun. */
  observe(done: number): void;
  /** Returns the rate, or null until two observations at different times show progress. */
  perSecond(): number | null;
}

/** Older observations are dropped, because they say little about the current rate. */
const windowMs = 20_000;

/** Creates a meter of the current rate. `now` is a clock in milliseconds. */
export function createProgressRate(now: () => number): ProgressRate {
  let seen: { readonly at: number; readonly done: number }[] = [];
  return {
    observe(done) {
      const at = now();
      if (done < (seen.at(-1)?.done ?? 0)) seen = [];
      // Keeps the last observation before the window, so that slow work has a rate, too.
      while (seen.length > 2 && seen[1]!.at < at - windowMs) seen.shift();
      seen.push({ at, done });
    },
    perSecond() {
      const [first, last] = [seen[0], seen.at(-1)];
      if (first === undefined || last === undefined || last.at <= first.at || last.done <= first.done) return null;
      return ((last.done - first.done) * 1000) / (last.at - first.at);
    },
  };
}
