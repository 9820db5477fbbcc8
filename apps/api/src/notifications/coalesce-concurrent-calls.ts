/**
 * Wraps `call` so that only one call runs at a time. Requests that arrive during a call share the next one, so that no result is older than its
 * request. If the running call fails, these requests fail with the same error, so that none of them waits for two timeouts.
 */
export function coalesceConcurrentCalls<T>(call: () => Promise<T>): () => Promise<T> {
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
