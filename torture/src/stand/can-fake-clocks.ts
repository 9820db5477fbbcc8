import { existsSync } from "node:fs";
import { machineHas } from "@reports/testing";
import { library } from "./faked-clock.ts";

/** Reports whether this machine has libfaketime. In CI it must. */
export function canFakeClocks(): boolean {
  return machineHas("libfaketime (apt-get install faketime)", existsSync(library));
}

/** Settings of a stand's clocks: minutes ahead, minutes behind, and right. Undefined where they cannot be set, or by none. */
export function clockOffsets(minutes: number): readonly number[] | undefined {
  return minutes > 0 && canFakeClocks() ? [minutes * 60, -minutes * 60, 0] : undefined;
}
