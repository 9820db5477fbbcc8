import { renameSync, writeFileSync } from "node:fs";

// Workers load this file at their start, so it imports no package.

/** Path of libfaketime in Debian's package `faketime`. */
export const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const cacheSeconds = 1;

/** Time after which a process has noticed a change of its clock, because libfaketime caches the setting. */
export const clockDelayMs = (cacheSeconds + 1) * 1_000;

/** Environment variables that a worker must pass to its renderers, so that they have the same clock. */
export const clockVariables = [
  "LD_PRELOAD",
  "FAKETIME_TIMESTAMP_FILE",
  "FAKETIME_CACHE_DURATION",
  "FAKETIME_DONT_FAKE_MONOTONIC",
] as const;

export type FakedClock = ReturnType<typeof createFakedClock>;

export function createFakedClock(file: string, offsetSeconds: number) {
  let offset = offsetSeconds;
  const clock = {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: String(cacheSeconds),
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    get offsetSeconds() {
      return offset;
    },
    /** Sets the offset in seconds. Running processes notice it within `clockDelayMs`. */
    set(seconds: number) {
      offset = seconds;
      // The new file replaces the old one by a rename, so that no process reads a half-written file.
      writeFileSync(`${file}.new`, `${seconds < 0 ? "" : "+"}${seconds}\n`, { mode: 0o644 });
      renameSync(`${file}.new`, file);
    },
  };
  clock.set(offsetSeconds);
  return clock;
}
