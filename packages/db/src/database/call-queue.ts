import { createSemaphore, fairPolicy, StoreUnavailableError, type Semaphore } from "@reports/core/base";

export type CallQueue = Semaphore<"call">;

/** Creates a queue for calls. It runs `atOnce` calls at the same time and rejects with StoreUnavailableError if `waiting` others wait already. */
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
