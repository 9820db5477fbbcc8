export type HttpRefusalCode =
  | "malformed-request"
  | "request-header-fields-too-large"
  | "request-timeout"
  | "too-many-connections"
  | "not-ready"
  | "path-not-found";

export interface HttpRefusal {
  readonly status: number;
  readonly code: HttpRefusalCode;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers and body of a refusal. The server adds `Content-Length` and `Cache-Control`. */
export interface RefusalResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type DescribeRefusal = (refusal: HttpRefusal) => RefusalResponse;

export function refusalHeaders(refusal: HttpRefusal, { headers, body }: RefusalResponse): Record<string, string> {
  return {
    ...headers,
    ...refusal.headers,
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
  };
}
