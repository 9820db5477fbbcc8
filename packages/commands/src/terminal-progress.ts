export interface TerminalProgress {
  update(share: number, text: string): void;
  clear(): void;
}

const barLength = 24;
const intervalMs = 100;

export function createTerminalProgress(output: NodeJS.WriteStream): TerminalProgress {
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
