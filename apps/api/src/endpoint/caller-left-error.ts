import { ExpectedError } from "@reports/core/base";

/** Thrown when the caller closes the connection before the response is sent. The API does not log it as an error. */
export class CallerLeftError extends ExpectedError {
  override readonly name = "CallerLeftError";
  constructor() {
    super("The caller has left.");
  }
}
