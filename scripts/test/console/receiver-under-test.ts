import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

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
  /** The next request alone: those behind it wait until it is said how they are answered. */
  answersOnceWith(status: number): void;
}

/** Starts it on that port, which the deployment has to allow. */
export async function startReceiver(port: number): Promise<ReceiverUnderTest> {
  const received: Received[] = [];
  let single: number | null = null;
  let always = Promise.withResolvers<number>();
  always.resolve(204);
  const server = createServer((request, response) => {
    const status = single ?? always.promise;
    single = null;
    void request.toArray().then(async (chunks) => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(await status).end();
    });
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answersWith(status) {
      // For those that wait.
      always.resolve(status);
      always = Promise.withResolvers();
      always.resolve(status);
    },
    answersOnceWith(status) {
      single = status;
      always = Promise.withResolvers();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
