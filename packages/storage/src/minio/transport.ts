import http from "node:http";
import https from "node:https";
import type { ClientOptions } from "minio";
import { StoreUnavailableError } from "@reports/core/base";
import { abortReasonToError } from "../abort.ts";

type Transport = NonNullable<ClientOptions["transport"]>;

export interface RequestDeadlines {
  /** Time limit until a connection is open, including the wait for a free one. */
  readonly connectTimeoutMs: number;
  /** Maximum time without a byte in either direction during a request. */
  readonly idleTimeoutMs: number;
}

/** Sends the requests of one operation. Applies its abort signal and its deadlines, which the S3 client does not support. */
export interface S3OperationTransport extends Transport {
  readonly latestStatus: () => number | undefined;
}

const maxSockets = 256;
const freeSocketTimeoutMs = 10_000;

// The S3 client does not read the bodies of responses with these statuses. An unread body would hold its connection for ever.
const unreadStatuses = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/** Creates an agent that closes idle connections earlier than servers do. Otherwise a request could use a connection that the server is closing. */
export function createStoreHttpAgent(secure: boolean, authorities: readonly string[] | undefined): http.Agent {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: 16, timeout: freeSocketTimeoutMs };
  if (!secure) return new http.Agent(options);
  return new https.Agent(authorities === undefined ? options : { ...options, ca: [...authorities] });
}

export function createS3OperationTransport(
  secure: boolean,
  deadlines: RequestDeadlines,
  signal: AbortSignal | undefined,
): S3OperationTransport {
  const base = secure ? https : http;
  let status: number | undefined;

  const request = (
    options: http.RequestOptions,
    onResponse?: (response: http.IncomingMessage) => void,
  ): http.ClientRequest => {
    const outgoing = base.request(options);
    let incoming: http.IncomingMessage | undefined;
    const end = (error: Error): void => {
      (incoming ?? outgoing).destroy(error);
    };
    const onAbort = (): void => end(abortReasonToError(signal?.reason));
    const connectTimer = setTimeout(
      () =>
        end(
          new StoreUnavailableError(`The object store could not be reached within ${deadlines.connectTimeoutMs} ms.`),
        ),
      deadlines.connectTimeoutMs,
    );
    const connected = (): void => clearTimeout(connectTimer);
    outgoing.once("socket", (socket) => {
      if (socket.connecting) socket.once(secure ? "secureConnect" : "connect", connected);
      else connected();
    });
    outgoing.setTimeout(deadlines.idleTimeoutMs, () =>
      end(new StoreUnavailableError(`The object store was silent for ${deadlines.idleTimeoutMs} ms.`)),
    );
    outgoing.once("response", (response) => {
      incoming = response;
      status = response.statusCode;
      // An error event of the response without a listener ends the process, and the reader of the body may not listen yet.
      response.on("error", () => undefined);
      onResponse?.(response);
      if (unreadStatuses.has(response.statusCode ?? 0)) response.resume();
    });
    outgoing.once("close", () => {
      connected();
      signal?.removeEventListener("abort", onAbort);
    });
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    return outgoing;
  };
  return { request: request as Transport["request"], latestStatus: () => status };
}
