/** Thrown to end the program with an exit code. Only `message` is printed, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
