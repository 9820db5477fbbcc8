import { existsSync } from "node:fs";
import { machineHas } from "@reports/testing";
import { library } from "./faked-clock.ts";

/** Reports whether this machine has libfaketime. In CI, throws if it does not. */
export function canFakeClocks(): boolean {
  return machineHas("libfaketime (apt-get install faketime)", existsSync(library));
}

/** Returns clock offsets in seconds: ahead, behind, and right. Undefined for 0 minutes, or if clocks cannot be set. */
export function clockOffsets(minutes: number): readonly number[] | undefined {
  return minutes > 0 && canFakeClocks() ? [minutes * 60, -minutes * 60, 0] : undefined;
}
