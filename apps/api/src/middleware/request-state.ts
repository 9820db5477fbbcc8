import type { Principal } from "@reports/auth";
import type { ProblemCode } from "@reports/core/wire";
import type Koa from "koa";

/** What the middleware know of one request. */
export interface RequestState {
  requestId: string;
  /** W3C trace context of this request. */
  traceparent: string;
  /** The endpoint's path with its parameters in braces; a request that matches none has `unknown`. */
  route: string;
  /** Whose address the request counts for. */
  address: string;
  principal?: Principal;
  /** Of a request that was answered with a problem. */
  problemCode?: ProblemCode;
}

/** Koa's context with that state. */
export type RequestContext = Koa.ParameterizedContext<RequestState>;
