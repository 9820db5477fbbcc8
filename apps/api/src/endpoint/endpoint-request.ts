import type { LoginCheckResult, Principal } from "@reports/auth";
import type { QuotaState } from "@reports/core/caller";
import type { EndpointMethod, Reply } from "./endpoint.ts";
import type { ReadJsonBodyOptions } from "./read-body.ts";

export interface EndpointRequest {
  readonly method: EndpointMethod | "HEAD";
  readonly params: Readonly<Record<string, string>>;
  /** The query string without `?`. */
  readonly queryText: string;
  /** Returns a header by its lower-case name. Adds that name to the response header `Vary`, because the response then depends on it. */
  header(name: string): string | undefined;
  /** Reads the body. May be called once, and only after authentication. */
  readBody(mediaTypes: readonly string[], options: ReadJsonBodyOptions): Promise<unknown>;
  readonly signal: AbortSignal;
  readonly traceparent: string;
  readonly requestId: string;
  readonly address: string;
  onPrincipal(principal: Principal): void;
  /** Called with the result of each password check. Not called for credentials in the cache, which need no check. */
  onLogin(login: LoginCheckResult): void;
  auditNow(reply: Pick<Reply, "status" | "audit">): void;
  onQuota(quota: QuotaState): void;
}
