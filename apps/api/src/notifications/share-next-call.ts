/**
 * Makes calls one at a time. Callers during a call share the next one, so that no result's call began before its request. If the
 * running call fails they share its failure, so that nobody waits for two deadlines.
 */
export function shareNextCall<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = async (): Promise<T> => {
    next = null;
    const started = call();
    running = started;
    try {
      return await started;
    } finally {
      if (running === started) running = null;
    }
  };
  return async () => {
    if (running === null) return start();
    next ??= running.then(start, (error: unknown) => {
      next = null;
      throw error;
    });
    return next;
  };
}
