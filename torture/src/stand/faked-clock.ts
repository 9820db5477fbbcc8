import { renameSync, writeFileSync } from "node:fs";

// Workers load this file when they start: it imports no package.

/** Where Debian's package faketime puts it. */
export const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const cacheSeconds = 1;

/** libfaketime caches the setting for a second. */
export const clockFollowsMs = (cacheSeconds + 1) * 1_000;

/** A worker passes these variables to its renderers. */
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
    /** Running processes follow within `clockFollowsMs`. */
    set(seconds: number) {
      offset = seconds;
      // A reader never meets a half-written file.
      writeFileSync(`${file}.new`, `${seconds < 0 ? "" : "+"}${seconds}\n`, { mode: 0o644 });
      renameSync(`${file}.new`, file);
    },
  };
  clock.set(offsetSeconds);
  return clock;
}
