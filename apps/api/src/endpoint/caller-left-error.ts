import { ExpectedError } from "@reports/core/base";

/** The caller closed the connection, which ended the work. Nobody is to blame. */
export class CallerLeftError extends ExpectedError {
  override readonly name = "CallerLeftError";
  constructor() {
    super("The caller has left.");
  }
}
