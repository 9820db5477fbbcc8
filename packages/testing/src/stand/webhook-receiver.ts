import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { listenOnLoopback } from "../listen-on-loopback.ts";

export async function startWebhookReceiver(port = 0) {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  let single: number | null = null;
  let always = Promise.withResolvers<number>();
  always.resolve(204);
  const server = createServer((request, response) => {
    const status = single ?? always.promise;
    single = null;
    void text(request).then(async (body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(await status).end();
    });
  });
  return {
    ...(await listenOnLoopback(server, port)),
    received,
    answerWith(status: number) {
      always.resolve(status);
      always = Promise.withResolvers();
      always.resolve(status);
    },
    /** Answers the next request with this status. Later requests wait until `answerWith` is called. */
    answerOnceWith(status: number) {
      single = status;
      always = Promise.withResolvers();
    },
  };
}
