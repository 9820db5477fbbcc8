import { DomainError } from "@reports/core";
import type { EndpointInput } from "../endpoint/endpoint.ts";
import { judgeConditions, type Validators } from "../http/conditions.ts";

/** Request headers that every write heeds. */
export const writeConditions = {
  "If-Match":
    "Entity tags of which one must be current: the write happens to the version that was read, or not at all.",
  "If-None-Match": "Entity tags of which none may be current.",
};

/** Throws when a condition of a write cannot be read, whatever becomes of the write. */
export function refuseMalformedConditions(input: Pick<EndpointInput<unknown>, "header">): void {
  judge(input, { etag: '""' });
}

/** Throws unless the conditions of a write hold for the current version. RFC 9110 §13.2.2. */
export function refuseUnlessCurrent(input: Pick<EndpointInput<unknown>, "header">, current: Validators): void {
  if (judge(input, current) === "go-on") return;
  throw new DomainError(
    "precondition-failed",
    "precondition-failed",
    "The record is no longer at the version that the request names. Read it again, then decide.",
  );
}

function judge(input: Pick<EndpointInput<unknown>, "header">, current: Validators) {
  const outcome = judgeConditions(
    { ifMatch: input.header("if-match"), ifNoneMatch: input.header("if-none-match") },
    current,
  );
  if (typeof outcome !== "object") return outcome;
  const message = `${outcome.malformed} must be * or a list of at most 100 entity tags in double quotes.`;
  throw new DomainError("bad-request", "invalid-header", message, {
    issues: [{ header: outcome.malformed, code: "malformed_header", message }],
  });
}
