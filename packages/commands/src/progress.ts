/** Where long work has come to, shown on a terminal; silent elsewhere. */
export interface Progress {
  /** `share` is from 0 to 1. */
  update(share: number, text: string): void;
  /** Takes the bar away, so that other lines can be written. */
  clear(): void;
}

const barLength = 24;
const intervalMs = 100;

/** A one-line bar, drawn ten times a second at most. */
export function createProgress(output: NodeJS.WriteStream): Progress {
  let drawnAt = -Infinity;
  let shown = false;
  return {
    update(share, text) {
      if (!output.isTTY || performance.now() - drawnAt < intervalMs) return;
      drawnAt = performance.now();
      shown = true;
      const full = Math.round(Math.min(1, share) * barLength);
      output.write(
        `\r\u001b[2K[${"#".repeat(full)}${".".repeat(barLength - full)}] ${Math.floor(share * 100)} % ${text}`,
      );
    },
    clear() {
      if (shown) output.write("\r\u001b[2K");
      shown = false;
      drawnAt = -Infinity;
    },
  };
}
