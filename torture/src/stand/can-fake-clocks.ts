import { existsSync } from "node:fs";
import { isAvailableOrThrowInCi } from "@reports/testing";
import { libfaketimePath } from "./faked-clock.ts";

export function canFakeClocks(): boolean {
  return isAvailableOrThrowInCi("libfaketime (apt-get install faketime)", existsSync(libfaketimePath));
}

/** Returns the offsets of fake clocks in seconds: ahead, behind, and right. Returns undefined for 0 minutes, or if the machine cannot fake clocks. */
export function computeClockOffsetsSeconds(minutes: number): readonly number[] | undefined {
  return minutes > 0 && canFakeClocks() ? [minutes * 60, -minutes * 60, 0] : undefined;
}
