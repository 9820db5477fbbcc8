import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import type { IncomingMessage, RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { newId } from "@reports/runtime";
import { createHttpServer } from "../server.ts";

/** A request as it goes over the wire. */
export interface RawRequest {
  readonly method: string;
  /** Sent as it stands, but for what cannot stand in a request line: no client takes `..` out of it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** A body that is sent without its length. */
  readonly chunks?: string;
}

/** What came back. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** Parsed, where the answer is JSON; else undefined. */
  readonly body: unknown;
}

/** Most requests at once; others wait. */
const maxConnections = 8;

/**
 * Serves a listener as the process does, and asks it over connections that stay open: for thousands of requests, each of which would cost
 * more with a server and a connection of its own than by its answer. `shared` are headers of every request.
 */
export async function openRawClient(listener: RequestListener, shared: Readonly<Record<string, string>> = {}) {
  const server = createHttpServer(listener, { newId, basePath: "" });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections });
  return {
    port,
    async ask({ method, path, headers = {}, body, chunks }: RawRequest): Promise<RawAnswer> {
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

/** Asks one API, again and again. */
export type RawClient = Awaited<ReturnType<typeof openRawClient>>;
