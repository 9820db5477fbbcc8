/** Calls `work` with each number from `from` to `to - 1`. At most `concurrency` calls run at the same time. */
export async function forEachNumber(
  { from = 0, to, concurrency }: { readonly from?: number; readonly to: number; readonly concurrency: number },
  work: (number: number) => Promise<void>,
): Promise<void> {
  let next = from;
  const workOn = async (): Promise<void> => {
    while (next < to) await work(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, workOn));
}
