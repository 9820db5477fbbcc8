import type { CheckedLogin, Principal } from "@reports/auth";
import type { QuotaState } from "@reports/core/caller";
import type { Method, Reply } from "./endpoint.ts";
import type { BodyOptions } from "./read-body.ts";

export interface EndpointRequest {
  readonly method: Method | "HEAD";
  readonly params: Readonly<Record<string, string>>;
  /** Without its `?`. */
  readonly queryText: string;
  /** By lower-case name. The response then names it in `Vary` (vary.ts). */
  header(name: string): string | undefined;
  /** Reads the body, at most once, after the caller is known. */
  readBody(mediaTypes: readonly string[], options: BodyOptions): Promise<unknown>;
  readonly signal: AbortSignal;
  readonly traceparent: string;
  readonly requestId: string;
  /** The client's address, by which failed logins are counted. */
  readonly address: string;
  onPrincipal(principal: Principal): void;
  /** Called after a check of name and password; not for cached credentials. */
  onLogin(login: CheckedLogin): void;
  /** Called with the outcome of an endpoint whose response comes later. */
  auditNow(reply: Pick<Reply, "status" | "audit">): void;
  /** Called with the rest of the limit on requests. */
  onQuota(quota: QuotaState): void;
}
