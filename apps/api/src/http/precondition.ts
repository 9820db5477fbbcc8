import { DomainError } from "@reports/core/base";
import {
  hasWeakEntityTag,
  evaluateHttpConditions,
  type HttpConditionOutcome,
  type HttpValidators,
} from "./conditional-headers.ts";

interface HeaderReader {
  header(name: string): string | undefined;
}

export const conditionalReadHeaders = {
  "If-None-Match": "Entity tags that the caller has already.",
  "If-Match": "Entity tags of which one must be current.",
};

/** The parts that the declarations of conditional writes have in common. */
export const conditionalWrite = {
  headers: {
    "If-Match":
      "Entity tags of which one must be current: the write happens to the version that was read, or not at all.",
    "If-None-Match": "Entity tags of which none may be current.",
  },
  checkRequest: assertWellFormedConditions,
};

export const conditionalReadProblems = { 412: "If-Match names another version." };
export const conditionalWriteProblems = { 412: "If-Match names another version, or If-None-Match the current one." };

/** Reports whether the caller already has the current version, so that the API can answer 304. Throws for a failed or malformed condition. */
export function isNotModified(input: HeaderReader, current: HttpValidators): boolean {
  const outcome = evaluateOrThrow(
    {
      ...readTagHeaders(input),
      ifModifiedSince: input.header("if-modified-since"),
      ifUnmodifiedSince: input.header("if-unmodified-since"),
    },
    current,
  );
  if (typeof outcome === "object") throw failedConditionError(outcome.failed, input);
  return outcome === "not-modified";
}

/** Throws if a conditional header of a write is malformed. Does not compare entity tags. */
export function assertWellFormedConditions(input: HeaderReader): void {
  evaluateOrThrow(readTagHeaders(input), { etag: '""' });
}

/** Throws unless the conditional headers of a write match the current version. RFC 9110 §13.2.2. */
export function assertWritePreconditions(input: HeaderReader, current: HttpValidators): void {
  const outcome = evaluateOrThrow(readTagHeaders(input), current);
  if (outcome === "proceed") return;
  throw outcome === "not-modified"
    ? preconditionError("If-None-Match", "If-None-Match names the current version, so that nothing was written.")
    : failedConditionError(outcome.failed, input);
}

function readTagHeaders(input: HeaderReader) {
  return { ifMatch: input.header("if-match"), ifNoneMatch: input.header("if-none-match") };
}

function evaluateOrThrow(
  ...args: Parameters<typeof evaluateHttpConditions>
): Exclude<HttpConditionOutcome, { readonly malformed: string }> {
  const outcome = evaluateHttpConditions(...args);
  if (typeof outcome !== "object" || "failed" in outcome) return outcome;
  const header = outcome.malformed;
  const message = `${header} must be * or a list of at most 100 entity tags in double quotes.`;
  throw new DomainError("bad-request", "invalid-header", message, {
    issues: [{ header, code: "malformed_header", message }],
  });
}

function failedConditionError(header: "If-Match" | "If-Unmodified-Since", input: HeaderReader): DomainError {
  if (header === "If-Unmodified-Since") {
    const message = "It was modified after the date that If-Unmodified-Since names. Read it again, then decide.";
    return preconditionError(header, message);
  }
  return preconditionError(header, hasWeakEntityTag(input.header("if-match") ?? "") ? weakTagMessage : staleTagMessage);
}

const staleTagMessage = "If-Match names no current version. Read it again, then decide.";
const weakTagMessage =
  'If-Match has a weak entity tag (W/"…"), and a weak tag never matches. This service sends strong tags. A proxy that compresses responses can make them weak: switch its compression off (in nginx: gzip off). Then read it again.';

function preconditionError(header: string, message: string): DomainError {
  const issues = [{ header, code: "precondition_failed", message }];
  return new DomainError("precondition-failed", "precondition-failed", message, { issues });
}
