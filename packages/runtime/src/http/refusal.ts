export type RefusalCode =
  | "malformed-request"
  | "request-header-fields-too-large"
  | "request-timeout"
  | "too-many-connections"
  | "not-ready"
  | "path-not-found";

export interface Refusal {
  readonly status: number;
  readonly code: RefusalCode;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers and body of a refusal. The server adds `Content-Length` and `Cache-Control`. */
export interface RefusalReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type DescribeRefusal = (refusal: Refusal) => RefusalReply;

export function refusalHeaders(refusal: Refusal, { headers, body }: RefusalReply): Record<string, string> {
  return {
    ...headers,
    ...refusal.headers,
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
  };
}
