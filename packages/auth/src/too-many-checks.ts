import { DomainError } from "@reports/core/base";

export function tooManyPasswordChecksError(): DomainError {
  const message = "Too many passwords are being checked at the same time. Try again in a moment.";
  return new DomainError("unavailable", "login-busy", message, { retryAfterSeconds: 1 });
}
