/** Number of active diversions, and the original write. */
let activeDiversions = 0;
let write: typeof process.stdout.write;

/**
 * Diverts prints to standard error until the returned function is called: our processes' output is one record per line, which a print without a
 * line end would break. Writes past `process.stdout`, as the log's, are not affected.
 */
export function divertOutput(): () => void {
  if (activeDiversions++ === 0) {
    ({ write } = process.stdout);
    process.stdout.write = process.stderr.write.bind(process.stderr);
  }
  return () => {
    if (--activeDiversions === 0) process.stdout.write = write;
  };
}
