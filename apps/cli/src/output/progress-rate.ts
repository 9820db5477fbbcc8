export interface ProgressRate {
  /** Adds an observation. If `done` is smaller than before, another attempt or part of the work has begun, and the rate starts again. */
  observe(done: number): void;
  perSecond(): number | null;
}

/** Older observations say little about the current rate. */
const windowMs = 20_000;

export function createProgressRate(now: () => number): ProgressRate {
  let seen: { readonly at: number; readonly done: number }[] = [];
  return {
    observe(done) {
      const at = now();
      if (done < (seen.at(-1)?.done ?? 0)) seen = [];
      // The last observation before the window is kept, so that work with rare observations also has a rate.
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
