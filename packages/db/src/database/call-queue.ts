import { createSemaphore, createFairPolicy, StoreUnavailableError, type Semaphore } from "@reports/core/base";

export type CallQueue = Semaphore<"call">;

export function createCallQueue(limits: { readonly atOnce: number; readonly waiting: number }): CallQueue {
  return createSemaphore({
    ...createFairPolicy(limits.atOnce),
    maxWaiting: limits.waiting,
    refuse: () =>
      new StoreUnavailableError(
        `Postgres cannot keep up: ${limits.waiting} calls are waiting for a connection; try again later.`,
      ),
  });
}
