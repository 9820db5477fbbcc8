import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { newId } from "@reports/runtime";
import { createHttpServer } from "../server.ts";

/** A request that is sent as it is written here. Common HTTP clients would normalize it first. */
export interface RawRequest {
  readonly method: string;
  /** Sent unchanged, even with `..`. Only characters that cannot be in a request line are percent-encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** A body that is sent in chunked encoding, without Content-Length. */
  readonly chunks?: string;
}

export interface RawClientResponse {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** The parsed body, if the response is uncompressed JSON. Otherwise undefined. */
  readonly body: unknown;
}

const maxConnections = 8;

/**
 * Starts the production HTTP server for a listener, and opens a client that reuses its connections, because tests send thousands of requests.
 * The client adds the headers `shared` to every request.
 */
export async function openRawClient(listener: RequestListener, shared: Readonly<Record<string, string>> = {}) {
  const server = createHttpServer(listener, { newId, basePath: "" });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections });
  return {
    port,
    async ask({ method, path, headers = {}, body, chunks }: RawRequest): Promise<RawClientResponse> {
      const sent = httpRequest({
        agent,
        port,
        method,
        host: "127.0.0.1",
        path: path.replaceAll(/[^\x21-\xff]/gu, (character) => encodeURIComponent(character)),
        headers: {
          ...shared,
          ...headers,
          ...(body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) }),
        },
      });
      sent.end(body ?? chunks);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      const content = await text(response);
      const { "content-type": mediaType = "", "content-encoding": coding } = response.headers;
      const isJson = mediaType.includes("json") && coding === undefined && content !== "";
      return {
        status: response.statusCode!,
        headers: response.headers,
        text: content,
        body: isJson ? JSON.parse(content) : undefined,
      };
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type RawClient = Awaited<ReturnType<typeof openRawClient>>;
