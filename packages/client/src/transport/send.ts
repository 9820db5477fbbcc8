import { unreachable } from "../errors.ts";
import { discard, errorOf } from "./response.ts";
import { within, type Pacing } from "./pacing.ts";
import { retrying } from "./retry.ts";

export interface GatewayRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Segments after `/v1`, not encoded yet. */
  readonly path: readonly string[];
  /** With its leading `?`, or empty. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Statuses in addition to 2xx that are no failure. */
  readonly accepts?: readonly number[];
  /** Requested, and required of a 2xx response; JSON by default. Any type means any but HTML: no file of a report is HTML. */
  readonly mediaType?: string | undefined;
}

/** Sends requests to one gateway. Whatever fails rejects with a GatewayError, or with the reason of the caller's signal. */
export interface Transport {
  /** Once, for whoever waits between tries by `backOff`. Gives the response before its body. */
  sendOnce(request: GatewayRequest): Promise<Response>;
  /**
   * As `sendOnce`, and reads the response. What is safe (GET) or carries an Idempotency-Key is tried again where that may help,
   * reading included.
   */
  send<T>(request: GatewayRequest, read: (response: Response) => Promise<T>): Promise<T>;
  readonly pacing: Pacing;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

const json = "application/json";

export interface Wire {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly pacing: Pacing;
}

export interface Authorizer {
  authorization(signal: AbortSignal | undefined): Promise<string>;
  /** Returns another value after 401 for this one. Null if there is no other. */
  renew(signal: AbortSignal | undefined, refused: string): Promise<string | null>;
}

export function createTransport(wire: Wire, authorizer: Authorizer): Transport {
  async function sendOnce(request: GatewayRequest): Promise<Response> {
    const authorization = await authorizer.authorization(request.signal);
    let response = await sendRequest(wire, request, authorization);
    const renewed = response.status === 401 ? await authorizer.renew(request.signal, authorization) : null;
    if (renewed !== null) {
      await discard(response);
      response = await sendRequest(wire, request, renewed);
    }
    return checkResponse(request, response);
  }
  return {
    ...wire,
    sendOnce,
    async send(request, read) {
      const isRepeatable = request.method === "GET" || request.headers?.["Idempotency-Key"] !== undefined;
      return retrying(wire.pacing, request.signal, async () => read(await sendOnce(request)), isRepeatable);
    },
  };
}

/** Returns the response before its body. */
export async function sendRequest(wire: Wire, request: GatewayRequest, authorization: string): Promise<Response> {
  const { method, path, query = "", body, signal, mediaType = json } = request;
  const url = `${wire.baseUrl}/v1/${path.map(segmentOf).join("/")}${query}`;
  const headers = {
    Accept: mediaType,
    ...(body !== undefined && { "Content-Type": json }),
    ...request.headers,
    Authorization: authorization,
  };
  const ask = async (either: AbortSignal): Promise<Response> =>
    wire.fetch(url, {
      method,
      headers,
      // Undefined of a request without one.
      body: JSON.stringify(body),
      signal: either,
      // Credentials are those that were given, and go nowhere else.
      credentials: "omit",
      redirect: "manual",
    });
  try {
    // A connection that is dead without anybody having said so would be waited at for minutes.
    return await within(wire.pacing.responseTimeoutMs, signal, ask);
  } catch (cause) {
    throw unreachable(`The gateway at ${wire.baseUrl} cannot be reached.`, cause);
  }
}

function segmentOf(text: string): string {
  // However they are encoded, these lead to another place: the domains of the proxy ".." would be those of all proxies.
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${JSON.stringify(text)} names nothing.`);
  return encodeURIComponent(text);
}

/** Returns the response, unless it reports a failure or does not come from the gateway: a login page is often sent with 200. */
export async function checkResponse(
  { accepts = [], mediaType = json }: GatewayRequest,
  response: Response,
): Promise<Response> {
  const { ok, status, headers } = response;
  // A missing header counts as JSON, not as a stream: a login page read as a stream would be requested without end.
  const type = (headers.get("Content-Type") || json).toLowerCase().split(/[\s;]/)[0]!;
  const isExpected = mediaType === "*/*" ? type !== "text/html" : type === mediaType;
  if (accepts.includes(status) || (ok && (isExpected || status === 204))) return response;
  throw await errorOf(response);
}
