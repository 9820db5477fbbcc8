import { progressLine, type Moment } from "./progress-line.ts";
import { createProgressRate } from "./progress-rate.ts";

/** Where work has come to, in one line of a terminal; silent elsewhere. */
export interface ProgressBar {
  update(moment: Omit<Moment, "perSecond">): void;
  /** Takes the bar away, so that other lines can be written. */
  clear(): void;
}

/** What the bar needs of a stream. */
export interface BarStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Cells of a line. Pseudo-terminals to which nobody gave a size say 0. */
export function widthOf({ columns }: Pick<BarStream, "columns">): number {
  return columns || 80;
}

/** Ten times a second at most. */
const intervalMs = 100;
const clearLine = "\r\u001b[2K";

/** A bar on a terminal that understands more than lines. `now` is a clock in milliseconds. */
export function createProgressBar(
  stream: BarStream,
  { now, terminal }: { readonly now: () => number; readonly terminal: string | undefined },
): ProgressBar {
  const isShown = stream.isTTY === true && terminal !== "dumb";
  let rate = createProgressRate(now);
  let work = "";
  let drawnAt = -Infinity;
  let isDrawn = false;
  return {
    update(moment) {
      if (!isShown) return;
      if (work !== moment.unit) rate = createProgressRate(now);
      work = moment.unit;
      rate.observe(moment.done);
      if (now() - drawnAt < intervalMs) return;
      drawnAt = now();
      isDrawn = true;
      // The last cell stays empty, because some terminals begin a new line behind it.
      const line = progressLine({ ...moment, perSecond: rate.perSecond() }, widthOf(stream) - 1);
      stream.write(`${clearLine}${line}`);
    },
    clear() {
      if (isDrawn) stream.write(clearLine);
      isDrawn = false;
      drawnAt = -Infinity;
    },
  };
}
