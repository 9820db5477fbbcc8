// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { ProblemCode } from "./enumerations.ts";

/** Why a request failed. RFC 9457. */
export interface Problem {
  /** Path of the page that explains this type of problem. */
  readonly type: string;
  /** The type of the problem in words. */
  readonly title: string;
  /** The HTTP status of the response. */
  readonly status: number;
  readonly code: ProblemCode;
  /** The failure, its cause and its remedy, for people. */
  readonly detail: string;
  /** Path of the request without its query. Empty if the path is too long, or could contain the token of a link. */
  readonly instance: string;
  /** ID of the request, as in the logs and in the header X-Request-Id. */
  readonly requestId: string;
  /**
   * The mistakes of the request: at most 20, and fewer if their texts are long. detail then says how many more there
   * are.
   */
  readonly errors: readonly Issue[];
}

/** One thing that is wrong with a request. */
export interface Issue {
  /** Name of the wrong query parameter. */
  readonly parameter?: string | undefined;
  /** JSON pointer (RFC 6901) to the wrong value in the body. */
  readonly pointer?: string | undefined;
  /** Name of the wrong request header. */
  readonly header?: string | undefined;
  /** Kind of this mistake, for programs. */
  readonly code: string;
  /** The mistake and the allowed values, for people. */
  readonly message: string;
}
