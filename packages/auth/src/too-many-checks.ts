import { DomainError } from "@reports/core/base";

/** What a caller is told whose credentials cannot even wait to be checked. */
export function tooManyChecks(): DomainError {
  const message = "Too many passwords are being checked at once. Try again in a moment.";
  return new DomainError("unavailable", "login-busy", message, { retryAfterSeconds: 1 });
}
