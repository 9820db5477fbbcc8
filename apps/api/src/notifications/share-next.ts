/**
 * Makes calls one at a time. Callers that ask while one is running share the next one, so that no caller gets a result whose call began
 * before it asked. When the running call fails they share its failure, so that nobody waits for two deadlines.
 */
export function shareNext<T>(call: () => Promise<T>): () => Promise<T> {
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
