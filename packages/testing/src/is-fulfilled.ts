/** Waits until a promise settles, and resolves with whether it was fulfilled. */
export async function isFulfilled(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
