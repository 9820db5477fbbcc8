import { DomainError } from "@reports/core";

/**
 * Runs at most `maxConcurrent` works at once and lets `maxWaiting` wait for their turn; throws DomainError("unavailable") beyond that.
 */
export function createConcurrencyLimiter(maxConcurrent: number, maxWaiting: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxConcurrent) {
      if (waiting.length >= maxWaiting) {
        const message = "Too many passwords are being checked at once. Try again in a moment.";
        throw new DomainError("unavailable", "login-busy", message, { retryAfterSeconds: 1 });
      }
      // Whoever ends hands its slot on, so that `running` is never above the limit.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
