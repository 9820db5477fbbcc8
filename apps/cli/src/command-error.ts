import { exitCodes } from "./exit-code.ts";

/** Thrown to end the program with an exit code. Only `message` is printed, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;
  constructor(code: keyof typeof exitCodes, message: string) {
    super(message);
    this.exitCode = exitCodes[code];
  }
}

export function usageError(message: string): CommandError {
  return new CommandError("usage", message);
}
