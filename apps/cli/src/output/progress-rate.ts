/** How fast something goes on, as it was seen lately. */
export interface ProgressRate {
  /** Takes note of how much is done. Less than before begins anew: it is another attempt, or another part of the work. */
  observe(done: number): void;
  /** Per second; null until two observations at different times show something done. */
  perSecond(): number | null;
}

/** What is older says little of how fast it goes now. */
const windowMs = 20_000;

/** Measures by a clock in milliseconds. */
export function createProgressRate(now: () => number): ProgressRate {
  let seen: { readonly at: number; readonly done: number }[] = [];
  return {
    observe(done) {
      const at = now();
      if (done < (seen.at(-1)?.done ?? 0)) seen = [];
      // The last one outside of the window stays, so that slow work has a rate, too.
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
