import type { InputIssue } from "../../base/errors.ts";
import { isJsonObject, notAnObjectIssue, toJsonPointer } from "../../base/json-object.ts";
import { truncateText, invalidInputError } from "../../base/truncate-issues.ts";

/** Reads a link's lifetime in seconds from a JSON body; `maxSeconds` if it has none. Throws DomainError("invalid") with every problem. */
export function readLinkLifetimeSeconds(body: unknown, maxSeconds: number): number {
  if (!isJsonObject(body)) throw invalidLink([notAnObjectIssue]);
  const { expiresInSeconds: given, ...others } = body;
  const seconds = given ?? maxSeconds;
  const issues: InputIssue[] = Object.keys(others).map((key) => ({
    pointer: toJsonPointer([key]),
    code: "unknown_field",
    message: `${JSON.stringify(truncateText(key, 60))} is not a field of a link. Allowed: expiresInSeconds.`,
  }));
  const isAllowed = typeof seconds === "number" && Number.isInteger(seconds) && seconds >= 1 && seconds <= maxSeconds;
  if (!isAllowed) {
    const message = `expiresInSeconds must be a whole number from 1 to ${maxSeconds}.`;
    issues.push({ pointer: toJsonPointer(["expiresInSeconds"]), code: "invalid_value", message });
  }
  if (!isAllowed || issues.length > 0) throw invalidLink(issues);
  return seconds;
}

function invalidLink(issues: readonly InputIssue[]) {
  return invalidInputError("invalid", "invalid-record", "The link cannot be made", issues);
}
