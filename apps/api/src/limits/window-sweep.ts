import type { Logger } from "@reports/runtime";

const everyMs = 60_000;

/** Removes the shared limits' windows in which nothing counts any more, once a minute. Every instance may: what is gone is gone. */
export function createWindowSweep(deps: { readonly remove: () => Promise<number>; readonly logger: Logger }) {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      await deps.remove();
    } catch (error) {
      // Nothing depends on it: what stays counts no more than what is gone.
      deps.logger.warn("stale rate windows were not removed", { error });
    }
  }

  return {
    start(): void {
      timer = setInterval(() => {
        running = sweep();
      }, everyMs).unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
