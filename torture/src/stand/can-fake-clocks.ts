import { existsSync } from "node:fs";
import { machineHas } from "@reports/testing";
import { library } from "./faked-clock.ts";

/** Reports whether this machine has libfaketime. Throws in CI if it does not. */
export function canFakeClocks(): boolean {
  return machineHas("libfaketime (apt-get install faketime)", existsSync(library));
}

/** Minutes ahead, minutes behind, and right. Undefined if clocks cannot be set, or for 0 minutes. */
export function clockOffsets(minutes: number): readonly number[] | undefined {
  return minutes > 0 && canFakeClocks() ? [minutes * 60, -minutes * 60, 0] : undefined;
}
