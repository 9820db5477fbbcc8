import { createNumbersByNameVariable } from "./numbers-by-name-variable.ts";
import { defineEnvironment } from "./variable.ts";

/** Defines the limits of a lane's queue. `consequence` says what happens in the lane at a limit. */
export function defineOverloadVariables<const Lane extends string>(lanes: readonly Lane[], consequence: string) {
  return defineEnvironment({
    overloadQueueLength: {
      name: "OVERLOAD_QUEUE_LENGTH",
      ...createNumbersByNameVariable(lanes, [0, 1_000_000], 1_000),
      description: `Queued reports in a lane, of all principals, from which ${consequence}: one number for each lane, or quick:20000,bulk:200; 0 for no limit.`,
    },
    overloadQueueAgeSeconds: {
      name: "OVERLOAD_QUEUE_AGE_SECONDS",
      ...createNumbersByNameVariable(lanes, [0, 86_400], 600),
      description: `Wait of the oldest queued report in a lane, in seconds, from which ${consequence}: one number for each lane, or quick:60,bulk:3600; 0 for no limit.`,
    },
  });
}
