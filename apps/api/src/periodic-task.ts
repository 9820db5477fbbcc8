/**
 * Creates periodic work. `start` runs `work` immediately and then every `everyMs` milliseconds, and `stop` waits for a running call. Every API
 * instance runs it, so a repetition of `work` must be harmless. `onFailure` gets each error, which does not end the repetitions.
 */
export function createPeriodicTask(work: () => Promise<unknown>, onFailure: (error: unknown) => void, everyMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const run = (): void => {
    running = work().then(() => undefined, onFailure);
  };

  return {
    start(): void {
      run();
      timer = setInterval(run, everyMs).unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
