// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { ProblemCode } from "./enumerations.ts";

/** Why a request failed. RFC 9457. */
export interface Problem {
  /** Path of the page that explains this type of problem. */
  readonly type: string;
  /** The type of problem in words. */
  readonly title: string;
  /** The status of the answer. */
  readonly status: number;
  readonly code: ProblemCode;
  /** Text for people: the failure, its cause and its remedy. */
  readonly detail: string;
  /** Path of the request; empty when it is too long to repeat. */
  readonly instance: string;
  /** Names the request in the logs. */
  readonly requestId: string;
  /** Everything that is wrong, twenty at most. */
  readonly errors: readonly Issue[];
}

/** One thing that is wrong with a request. */
export interface Issue {
  /** Name of the query parameter that is wrong. */
  readonly parameter?: string | undefined;
  /** JSON pointer (RFC 6901) into the body. */
  readonly pointer?: string | undefined;
  /** Name of the request header that is wrong. */
  readonly header?: string | undefined;
  /** Code of the problem, for programs. */
  readonly code: string;
  /** Text for people: the problem and the allowed values. */
  readonly message: string;
}
