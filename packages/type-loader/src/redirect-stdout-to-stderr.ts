let activeRedirections = 0;
let write: typeof process.stdout.write;

/** Redirects `process.stdout` to standard error until the returned function is called, because standard output holds only log records. */
export function redirectStdoutToStderr(): () => void {
  if (activeRedirections++ === 0) {
    ({ write } = process.stdout);
    process.stdout.write = process.stderr.write.bind(process.stderr);
  }
  return () => {
    if (--activeRedirections === 0) process.stdout.write = write;
  };
}
