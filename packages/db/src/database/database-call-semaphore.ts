import { createSemaphore, createFairSemaphorePolicy, StoreUnavailableError, type Semaphore } from "@reports/core/base";

export type DatabaseCallSemaphore = Semaphore<"call">;

export function createDatabaseCallSemaphore(limits: {
  readonly atOnce: number;
  readonly waiting: number;
}): DatabaseCallSemaphore {
  return createSemaphore({
    ...createFairSemaphorePolicy(limits.atOnce),
    maxWaiting: limits.waiting,
    refuse: () =>
      new StoreUnavailableError(
        `Postgres cannot keep up: ${limits.waiting} calls are waiting for a connection; try again later.`,
      ),
  });
}
