/** How many have asked for it, and how the process writes once none does. */
let asked = 0;
let write: typeof process.stdout.write;

/**
 * Has what is printed go to the process's errors, until the function that it gives is called: the output of a process of ours is records, a line
 * each, and a module that prints without an end of line would spoil the next. What is written past `process.stdout` is not affected, as the log is.
 */
export function divertOutput(): () => void {
  if (asked++ === 0) {
    ({ write } = process.stdout);
    process.stdout.write = process.stderr.write.bind(process.stderr);
  }
  return () => {
    if (--asked === 0) process.stdout.write = write;
  };
}
