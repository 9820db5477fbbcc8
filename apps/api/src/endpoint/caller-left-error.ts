import { ExpectedError } from "@reports/core/base";

/** The caller has closed the connection; what was being made for them ends with this reason, and nobody is to blame. */
export class CallerLeftError extends ExpectedError {
  override readonly name = "CallerLeftError";
  constructor() {
    super("The caller has left.");
  }
}
