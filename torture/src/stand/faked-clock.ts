import { renameSync, writeFileSync } from "node:fs";

// Every worker loads this module when it starts. So the module imports no package, because an import would slow down each start.

export const libfaketimePath = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const cacheSeconds = 1;

/** Ms after which every process has noticed a change of its clock. libfaketime reads the setting once per second. */
export const clockChangeDelayMs = (cacheSeconds + 1) * 1_000;

/** Environment variables of the fake clock. A worker must pass them to its renderers, so that they have the same clock. */
export const fakedClockVariables = [
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
      LD_PRELOAD: libfaketimePath,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: String(cacheSeconds),
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    get offsetSeconds() {
      return offset;
    },
    /** Sets the offset of the clock in seconds. Running processes notice it within `clockChangeDelayMs`. */
    set(seconds: number) {
      offset = seconds;
      // A rename replaces the file, so that no process reads a half-written one.
      writeFileSync(`${file}.new`, `${seconds < 0 ? "" : "+"}${seconds}\n`, { mode: 0o644 });
      renameSync(`${file}.new`, file);
    },
  };
  clock.set(offsetSeconds);
  return clock;
}
