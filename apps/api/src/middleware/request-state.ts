import type { Principal } from "@reports/auth";
import type { ProblemCode } from "@reports/core/wire";
import type Koa from "koa";

export interface RequestState {
  requestId: string;
  traceparent: string;
  route: string;
  address: string;
  isFromAllowedOrigin?: true;
  principal?: Principal;
  problemCode?: ProblemCode;
}

export type RequestContext = Koa.ParameterizedContext<RequestState>;
