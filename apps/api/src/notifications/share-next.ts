/**
 * Makes calls one at a time. Who asks while one is under way gets the next, together with all who ask meanwhile: what they get was never
 * begun before they asked. When the one under way fails they share its failure, so that nobody waits for two deadlines.
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
