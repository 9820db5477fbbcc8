export class NpmStartError extends Error {
  override readonly name = "NpmStartError";
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
