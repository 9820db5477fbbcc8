import { GatewayError, type Issue } from "@reports/client";
import { hasSessionExpired } from "./session.ts";

export interface CallFailure {
  readonly kind: "forbidden" | "missing" | "offline" | "invalid" | "other";
  readonly detail: string;
  readonly requestId: string | null;
  readonly issues: readonly Issue[];
}

/** Returns the failure to show for an error. Returns null for an aborted request, and for a 401, because the sign-in dialog reports it. */
export function toCallFailure(error: unknown): CallFailure | null {
  if (error instanceof DOMException && error.name === "AbortError") return null;
  if (!(error instanceof GatewayError)) return { kind: "other", detail: String(error), requestId: null, issues: [] };
  const { status, detail, requestId, issues } = error;
  if (status === 401) {
    hasSessionExpired.value = true;
    return null;
  }
  return { kind: failureKind(status), detail, requestId, issues };
}

function failureKind(status: number): CallFailure["kind"] {
  if (status === 403) return "forbidden";
  if (status === 404 || status === 410) return "missing";
  if (status === 0) return "offline";
  return status === 400 || status === 422 ? "invalid" : "other";
}
