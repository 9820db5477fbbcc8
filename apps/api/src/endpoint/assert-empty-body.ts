import { DomainError } from "@reports/core/base";

export function assertEmptyBody(body: unknown): void {
  if (JSON.stringify(body) === "{}") return;
  const message = "The body must be an empty object.";
  throw new DomainError("invalid", "invalid-body", message, {
    issues: [{ pointer: "", code: "unknown_field", message }],
  });
}
