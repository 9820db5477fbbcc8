import { formatProgressLine, type ProgressSnapshot } from "./progress-line.ts";

/** A progress bar in one line of a terminal. Prints nothing if the stream is not a terminal. */
export interface ProgressBar {
  update(snapshot: Omit<ProgressSnapshot, "perSecond">): void;
  clear(): void;
}

export interface ProgressBarStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Returns the number of cells per line. A pseudo-terminal without a size reports 0, which counts as 80. */
export function readTerminalWidth({ columns }: Pick<ProgressBarStream, "columns">): number {
  return columns || 80;
}

const minDrawIntervalMs = 100;
/** Older observations say little about the current rate. */
const rateWindowMs = 20_000;
const clearLine = "\r\u001b[2K";

/** Creates a progress bar. A terminal without control sequences (TERM=dumb) gets none. `now` is a clock in ms. */
export function createProgressBar(
  stream: ProgressBarStream,
  { now, terminal }: { readonly now: () => number; readonly terminal: string | undefined },
): ProgressBar {
  const isShown = stream.isTTY === true && terminal !== "dumb";
  let rate = createProgressRate(now);
  let work = "";
  let drawnAt = -Infinity;
  let isDrawn = false;
  return {
    update(snapshot) {
      if (!isShown) return;
      if (work !== snapshot.unit) rate = createProgressRate(now);
      work = snapshot.unit;
      rate.observe(snapshot.done);
      if (now() - drawnAt < minDrawIntervalMs) return;
      drawnAt = now();
      isDrawn = true;
      // The last cell stays empty, because some terminals begin a new line after it.
      const line = formatProgressLine({ ...snapshot, perSecond: rate.perSecond() }, readTerminalWidth(stream) - 1);
      stream.write(`${clearLine}${line}`);
    },
    clear() {
      if (isDrawn) stream.write(clearLine);
      isDrawn = false;
      drawnAt = -Infinity;
    },
  };
}

function createProgressRate(now: () => number) {
  let seen: { readonly at: number; readonly done: number }[] = [];
  return {
    /** Adds an observation. If `done` is smaller than before, another attempt or part of the work has begun, and the rate starts again. */
    observe(done: number): void {
      const at = now();
      if (done < (seen.at(-1)?.done ?? 0)) seen = [];
      // The last observation before the window is kept, so that work with rare observations also has a rate.
      while (seen.length > 2 && seen[1]!.at < at - rateWindowMs) seen.shift();
      seen.push({ at, done });
    },
    perSecond(): number | null {
      const [first, last] = [seen[0], seen.at(-1)];
      if (first === undefined || last === undefined || last.at <= first.at || last.done <= first.done) return null;
      return ((last.done - first.done) * 1000) / (last.at - first.at);
    },
  };
}
