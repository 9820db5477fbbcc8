import type { CallOptions } from "../call-options.ts";
import { unreachableError } from "../errors.ts";
import { discardResponseBody, readGatewayError } from "./response.ts";
import { runWithTimeout, type ClientTiming } from "./client-timing.ts";
import { runWithRetries } from "./retry.ts";

export interface GatewayRequest extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Segments of the path after `/v1`, which are not encoded yet. */
  readonly path: readonly string[];
  /** The query with its leading `?`, or an empty text. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly accepts?: readonly number[];
  /**
   * The media type to request and to require of a 2xx response, JSON by default. The only supported wildcard, for all types, excludes HTML, because
   * HTML comes from another server, such as a login page.
   */
  readonly mediaType?: string | undefined;
}

/** Sends requests to one gateway. A failed request rejects with a GatewayError, or with the reason of the caller's signal. */
export interface Transport {
  /** Sends a request without retries, for callers that retry by `waitForRetryOrThrow`. Resolves before the body is read. */
  sendOnce(request: GatewayRequest): Promise<Response>;
  /** Sends a request and reads its response. Retries both if the request is a GET or has an Idempotency-Key. */
  send<T>(request: GatewayRequest, read: (response: Response) => Promise<T>): Promise<T>;
  readonly pacing: ClientTiming;
  /** The URL of the gateway without a trailing slash. */
  readonly baseUrl: string;
}

const jsonMediaType = "application/json";

export interface TransportOptions {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly pacing: ClientTiming;
}

export interface Authorizer {
  authorization(options: CallOptions): Promise<string>;
  /** Returns another `Authorization` after a 401 for `refused`, or null if there is none. */
  renew(options: CallOptions, refused: string): Promise<string | null>;
}

export function createTransport(wire: TransportOptions, authorizer: Authorizer): Transport {
  async function sendOnce(request: GatewayRequest): Promise<Response> {
    const authorization = await authorizer.authorization(request);
    let response = await sendRequest(wire, request, authorization);
    const renewed = response.status === 401 ? await authorizer.renew(request, authorization) : null;
    if (renewed !== null) {
      await discardResponseBody(response);
      response = await sendRequest(wire, request, renewed);
    }
    return requireExpectedResponse(request, response);
  }
  return {
    ...wire,
    sendOnce,
    async send(request, read) {
      const isRepeatable = request.method === "GET" || request.headers?.["Idempotency-Key"] !== undefined;
      return runWithRetries(wire.pacing, request, async () => read(await sendOnce(request)), isRepeatable);
    },
  };
}

export async function sendRequest(
  wire: TransportOptions,
  request: GatewayRequest,
  authorization: string,
): Promise<Response> {
  const { method, path, query = "", body, signal, mediaType = jsonMediaType } = request;
  const url = `${wire.baseUrl}/v1/${path.map(encodeSegment).join("/")}${query}`;
  const headers = {
    Accept: mediaType,
    ...(body !== undefined && { "Content-Type": jsonMediaType }),
    ...request.headers,
    Authorization: authorization,
  };
  const ask = async (either: AbortSignal): Promise<Response> =>
    wire.fetch(url, {
      method,
      headers,
      // For a request without a body, `JSON.stringify` returns undefined, and `fetch` sends no body.
      body: JSON.stringify(body),
      signal: either,
      // Sends no cookies and follows no redirects, so that only the gateway gets the credentials of this client.
      credentials: "omit",
      redirect: "manual",
    });
  try {
    // Without a time limit, a request on a silently dead connection would wait for minutes.
    return await runWithTimeout(wire.pacing.responseTimeoutMs, signal, ask);
  } catch (cause) {
    throw unreachableError(`The gateway at ${wire.baseUrl} cannot be reached.`, cause);
  }
}

function encodeSegment(text: string): string {
  // URL parsers resolve `.` and `..`, even if they are encoded. The domains of the proxy `..` would be the domains of all proxies.
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${JSON.stringify(text)} names nothing.`);
  return encodeURIComponent(text);
}

/** Returns a successful response. Throws for a failure, and for a response of another server: login pages are often sent with 200. */
export async function requireExpectedResponse(
  { accepts = [], mediaType = jsonMediaType }: GatewayRequest,
  response: Response,
): Promise<Response> {
  const { ok, status, headers } = response;
  // A response without a media type counts as JSON. If a login page counted as an event stream, the client would request it endlessly.
  const type = (headers.get("Content-Type") || jsonMediaType).toLowerCase().split(/[\s;]/)[0]!;
  const isExpected = mediaType === "*/*" ? type !== "text/html" : type === mediaType;
  if (accepts.includes(status) || (ok && (isExpected || status === 204))) return response;
  throw await readGatewayError(response);
}
