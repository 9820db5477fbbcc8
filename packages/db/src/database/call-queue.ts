import { createSemaphore, fairPolicy, StoreUnavailableError, type Semaphore } from "@reports/core/base";

/** Permits for calls, given in the order in which the calls come. */
export type CallQueue = Semaphore<"call">;

/** Makes a queue in which nobody waits yet. It refuses a call with StoreUnavailableError when `waiting` others wait. */
export function createCallQueue(limits: { readonly atOnce: number; readonly waiting: number }): CallQueue {
  return createSemaphore({
    ...fairPolicy(limits.atOnce),
    maxWaiting: limits.waiting,
    refuse: () =>
      new StoreUnavailableError(
        `Postgres cannot keep up: ${limits.waiting} calls are waiting for a connection; try again later.`,
      ),
  });
}
