/** Runs `work` at the start of the process and then every `everyMs`. Every API instance runs it, so a repetition of `work` must be harmless. */
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
