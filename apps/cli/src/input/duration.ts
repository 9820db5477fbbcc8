import { InvalidArgumentError } from "commander";

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Node's longest timer, in ms. A longer one would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** Parses 90s, 30m, 1h30m, 1d, or a number of seconds. Returns milliseconds. Throws commander's InvalidArgumentError. */
export function parseDurationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy)];
  const isWhole = parts.reduce((length, [part]) => length + part.length, 0) === text.length;
  const ms = /^\d+$/.test(text)
    ? Number(text) * 1000
    : parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitMs[unit as keyof typeof unitMs], 0);
  if (text === "" || !(isWhole || /^\d+$/.test(text)) || ms <= 0 || ms > maxTimerMs)
    throw new InvalidArgumentError("It must be a duration such as 90s, 30m, 1h30m or 1d, of 24 days at most.");
  return ms;
}

/** Formats seconds in the largest unit that divides them: 900 becomes 15m. */
export function formatSeconds(seconds: number): string {
  const units = ["d", "h", "m"] as const;
  const unit = units.find((each) => (seconds * unitMs.s) % unitMs[each] === 0) ?? "s";
  return `${(seconds * unitMs.s) / unitMs[unit]}${unit}`;
}
