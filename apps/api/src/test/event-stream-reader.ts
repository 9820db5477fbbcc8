import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Record<string, unknown>;
}

export interface EventStream {
  readonly response: IncomingMessage;
  text(): string;
  events(): readonly ReceivedEvent[];
  /** Resolves when the server ends the stream. Rejects if the connection breaks before. */
  readonly ended: Promise<unknown>;
  leave(): void;
}

export async function startListenerUnderTest(listener: RequestListener) {
  // With a timeout, the server could close an idle connection while a client sends a request over it.
  const server = createServer({ keepAliveTimeout: 0 }, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export async function openEventStream(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = get(
    { host: "127.0.0.1", port, path, headers: { Accept: "text/event-stream", ...headers }, agent: false },
    resolve,
  );
  request.on("error", reject);
  const response = await promise;
  let text = "";
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => void (text += chunk));
  const ended = once(response, "end");
  ended.catch(() => undefined);
  return {
    response,
    text: () => text,
    events: () => parseEvents(text),
    ended,
    leave: () => request.destroy(),
  };
}

function parseEvents(text: string): readonly ReceivedEvent[] {
  // An event ends with an empty line. A text after the last one is an incomplete event.
  const blocks = text.split("\n\n").slice(0, -1);
  return blocks.flatMap((block) => {
    const fields = new Map(
      block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const),
    );
    const event = fields.get("event");
    if (event === undefined) return [];
    return [{ event, id: fields.get("id"), data: JSON.parse(fields.get("data")!) as Record<string, unknown> }];
  });
}
