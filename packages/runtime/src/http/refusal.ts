/** Reasons for which the server refuses a request by itself, instead of calling its listener. */
export type RefusalCode =
  | "malformed-request"
  | "request-header-fields-too-large"
  | "request-timeout"
  | "too-many-connections"
  | "not-ready"
  | "path-not-found";

/** One refusal. Its process gives it the format of its other errors. */
export interface Refusal {
  readonly status: number;
  readonly code: RefusalCode;
  /** A whole sentence for the caller. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal as it is sent. `Content-Length` and `Cache-Control` are added by the server. */
export interface RefusalReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type DescribeRefusal = (refusal: Refusal) => RefusalReply;

/** Returns every header of a refusal. */
export function refusalHeaders(refusal: Refusal, { headers, body }: RefusalReply): Record<string, string> {
  return {
    ...headers,
    ...refusal.headers,
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
  };
}
