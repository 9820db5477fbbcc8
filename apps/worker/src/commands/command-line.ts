export function printTextWithExitCode(text: string, exitCode: number): number {
  process.stdout.write(text);
  return exitCode;
}

export function printErrorWithExitCode(message: string, exitCode: number): number {
  process.stderr.write(`${message}\n`);
  return exitCode;
}

export function formatErrorWithCauses(error: unknown): string {
  const causes: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  return causes.join(" – ");
}
