import type { ProblemCode } from "./enumerations.ts";

/** One thing that is wrong with a request, and where it stands. */
export interface Issue {
  /** Name of the query parameter that is wrong. */
  readonly parameter?: string | undefined;
  /** JSON pointer (RFC 6901) into the body. */
  readonly pointer?: string | undefined;
  /** Name of the request header that is wrong. */
  readonly header?: string | undefined;
  readonly code: string;
  readonly message: string;
}

/** Why a request failed. RFC 9457. */
export interface Problem {
  /** Path of the page that explains this type of problem. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  /** What failed, why, and what to do. */
  readonly detail: string;
  /** Path of the request. */
  readonly instance: string;
  /** Names the request in the gateway's logs. */
  readonly requestId: string;
  /** Everything that is wrong, twenty at most. */
  readonly errors: readonly Issue[];
}
