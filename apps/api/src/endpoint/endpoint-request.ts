import type { CheckedLogin, Principal } from "@reports/auth";
import type { QuotaState } from "@reports/core/caller";
import type { Method, Reply } from "./endpoint.ts";
import type { BodyOptions } from "./read-body.ts";

/** A request as an endpoint's caller sees it: plain data. */
export interface EndpointRequest {
  readonly method: Method | "HEAD";
  readonly params: Readonly<Record<string, string>>;
  /** Without its `?`. */
  readonly queryText: string;
  /** A request header by its lower-case name. The response then names it in `Vary` (vary.ts). */
  header(name: string): string | undefined;
  /** Reads the body; called once at most, and never before the caller is known. */
  readBody(mediaTypes: readonly string[], options: BodyOptions): Promise<unknown>;
  readonly signal: AbortSignal;
  readonly traceparent: string;
  readonly requestId: string;
  /** From where it comes; failed logins are counted by it. */
  readonly address: string;
  /** Called with the caller, as soon as that is known. */
  onPrincipal(principal: Principal): void;
  /** Called when a name and a password have been checked; not for cached credentials. */
  onLogin(login: CheckedLogin): void;
  /** Called with the outcome of an endpoint whose response comes later. */
  onDone(reply: Pick<Reply, "status" | "audit">): void;
  /** Called with the rest of the limit on requests. */
  onQuota(quota: QuotaState): void;
}
