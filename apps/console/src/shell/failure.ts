import { GatewayError, type Issue } from "@reports/client";
import { hasExpired } from "./session.ts";

/** Why something could not be done, as it is shown. */
export interface Failure {
  readonly kind: "forbidden" | "missing" | "offline" | "invalid" | "other";
  /** What failed, why, and what to do, in the gateway's own words. */
  readonly detail: string;
  /** Names the request in the gateway's logs. */
  readonly requestId: string | null;
  readonly issues: readonly Issue[];
}

/** What an error means for whoever looks at the page. Null for what is no failure of theirs: a request that was given up. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof DOMException && error.name === "AbortError") return null;
  if (!(error instanceof GatewayError)) return { kind: "other", detail: String(error), requestId: null, issues: [] };
  const { status, detail, requestId, issues } = error;
  // Who signs in anew has the page as it was.
  if (status === 401) {
    hasExpired.value = true;
    return null;
  }
  return { kind: kindOf(status), detail, requestId, issues };
}

function kindOf(status: number): Failure["kind"] {
  if (status === 403) return "forbidden";
  if (status === 404 || status === 410) return "missing";
  if (status === 0) return "offline";
  return status === 400 || status === 422 ? "invalid" : "other";
}
