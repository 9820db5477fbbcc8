import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** What a receiver of webhooks was sent. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on this machine, which answers as it is told to. */
export interface ReceiverUnderTest extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  answersWith(status: number): void;
}

/** Starts it. */
export async function startReceiver(): Promise<ReceiverUnderTest> {
  const received: Received[] = [];
  let status = 204;
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status).end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answersWith: (next) => (status = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
