import { ExpectedError } from "@reports/core/base";

/** Thrown when the caller closes the connection before the response. This is expected and is not logged as a failure. */
export class CallerLeftError extends ExpectedError {
  override readonly name = "CallerLeftError";
  constructor() {
    super("The caller has left.");
  }
}
