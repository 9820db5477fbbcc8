/** Writes a result to standard output and gives the exit code back. */
export function say(text: string, exitCode: number): number {
  process.stdout.write(text);
  return exitCode;
}

/** Writes a line to standard error and gives the exit code back. */
export function complain(message: string, exitCode: number): number {
  process.stderr.write(`${message}\n`);
  return exitCode;
}

/** What went wrong and why, down to the first cause. */
export function messageOf(error: unknown): string {
  const causes: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  return causes.join(" – ");
}
