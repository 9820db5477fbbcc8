import { createServer, request as sendRequest } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isHttpFault } from "./proxy-fault.ts";
import type { ProxyFault } from "./proxy-fault.ts";

/** Creates an HTTP server that applies the current HTTP fault and forwards other requests. The caller passes it connections: it does not listen. */
export function createHttpFaultServer(upstream: { host: string; port: number }, fault: () => ProxyFault): Server {
  const server = createServer((request, response) => {
    const current = fault();
    const { method = "GET", url = "/" } = request;
    const isAffected = isHttpFault(current) && (current.matches?.({ method, path: url }) ?? true);
    request.on("error", () => undefined);
    if (isAffected && current.kind === "answer") {
      // Answers only after the whole request has arrived, as a store does that notices a full disk only while it writes.
      request.resume().on("end", () => {
        response
          .writeHead(current.status, { "Content-Type": current.contentType ?? "text/plain" })
          .end(current.body ?? "");
      });
      return;
    }
    forwardRequest(
      upstream,
      request,
      response,
      isAffected && current.kind === "truncate" ? current.afterBytes : Number.POSITIVE_INFINITY,
    );
  });
  // The fault proxy must not add timeouts to those of the service behind it.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  return server;
}

function forwardRequest(
  upstream: { host: string; port: number },
  request: IncomingMessage,
  response: ServerResponse,
  maxBodyBytes: number,
): void {
  // Forward the headers unchanged, because the signature of an S3 request covers the Host header.
  const outgoing = sendRequest({
    ...upstream,
    method: request.method,
    path: request.url,
    headers: request.headers,
    agent: false,
  });
  outgoing.on("error", () => response.destroy());
  outgoing.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    let remainingBytes = maxBodyBytes;
    answer.on("data", (chunk: Buffer) => {
      if (chunk.length < remainingBytes) {
        remainingBytes -= chunk.length;
        if (response.write(chunk)) return;
        answer.pause();
        response.once("drain", () => answer.resume());
        return;
      }
      response.write(chunk.subarray(0, remainingBytes), () => response.socket?.destroySoon());
      answer.destroy();
    });
    answer.on("end", () => response.end());
    answer.on("error", () => response.destroy());
  });
  response.on("close", () => outgoing.destroy());
  request.pipe(outgoing);
}
