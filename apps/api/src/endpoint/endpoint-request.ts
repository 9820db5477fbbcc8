import type { CheckedLogin, Principal } from "@reports/auth";
import type { QuotaState } from "@reports/core/caller";
import type { Method, Reply } from "./endpoint.ts";
import type { BodyOptions } from "./read-body.ts";

export interface EndpointRequest {
  readonly method: Method | "HEAD";
  readonly params: Readonly<Record<string, string>>;
  /** The query string without `?`. */
  readonly queryText: string;
  /** Returns a header by its lower-case name, and adds the name to `Vary` in the response (vary.ts). */
  header(name: string): string | undefined;
  /** Reads the body. Call it at most once, and after authentication. */
  readBody(mediaTypes: readonly string[], options: BodyOptions): Promise<unknown>;
  readonly signal: AbortSignal;
  readonly traceparent: string;
  readonly requestId: string;
  /** The client's address. Failed logins are counted per address. */
  readonly address: string;
  onPrincipal(principal: Principal): void;
  /** Called after a password was checked, but not for cached credentials. */
  onLogin(login: CheckedLogin): void;
  /** Writes the audit line now, for an endpoint whose response is sent later. */
  auditNow(reply: Pick<Reply, "status" | "audit">): void;
  /** Called with the number of requests that the caller has left. */
  onQuota(quota: QuotaState): void;
}
