/** Number of callers that need the diversion, and the original `write`. */
let activeDiversions = 0;
let write: typeof process.stdout.write;

/**
 * Redirects `process.stdout` to standard error until the returned function is called. Standard output holds one log record per line, and a
 * print of a module would break these lines. The log itself does not write through `process.stdout`.
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
