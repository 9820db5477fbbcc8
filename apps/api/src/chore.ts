/** Runs `work` at the start and then every `everyMs`. All API instances run the same chores, so `work` must be idempotent. */
export function createChore(work: () => Promise<unknown>, onFailure: (error: unknown) => void, everyMs: number) {
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
