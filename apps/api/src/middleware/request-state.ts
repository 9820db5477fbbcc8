import type { Principal } from "@reports/auth";
import type { ProblemCode } from "@reports/core/wire";
import type Koa from "koa";

export interface RequestState {
  requestId: string;
  traceparent: string;
  /** The path with parameters in braces; `unknown` without an endpoint. */
  route: string;
  /** The address for which the request counts. */
  address: string;
  principal?: Principal;
  problemCode?: ProblemCode;
}

export type RequestContext = Koa.ParameterizedContext<RequestState>;
