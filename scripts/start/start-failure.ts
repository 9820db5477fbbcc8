/** An error that the user can fix. `npm start` prints its message without a stack, and exits with `exitCode`. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
