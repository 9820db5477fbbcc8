import { connect, type Socket } from "node:net";
import type { Service } from "./service.ts";

/** Starts reports over so many connections, each the next when the answer is there, until `isOver` says of all that were started that it is; gives the number of starts a second. */
export async function startOverAndOver(
  service: Service,
  { clients, body, isOver }: { readonly clients: number; readonly body: object; isOver(started: number): boolean },
): Promise<number> {
  const { hostname, port } = new URL(service.origin);
  const text = JSON.stringify(body);
  const headers = Object.entries({ host: hostname, ...service.headers, "content-length": String(text.length) });
  const request = `POST /v1/reports HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${text}`;
  const startedAt = performance.now();
  let started = 0;
  const goesOn = (): boolean => !isOver((started += 1));
  await Promise.all(
    Array.from({ length: clients }, async () => oneClient(connect(Number(port), hostname), request, goesOn)),
  );
  return started / ((performance.now() - startedAt) / 1000);
}

/** One client on one connection, as bare as pgbench's: the next request goes when the answer is there. */
async function oneClient(socket: Socket, request: string, goesOn: () => boolean): Promise<void> {
  let text = "";
  socket.write(request);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString("latin1");
    const headEnd = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    if (headEnd < 0 || text.length < headEnd + 4 + length) continue;
    if (!text.startsWith("HTTP/1.1 202")) throw new Error(`A start was answered ${text.slice(0, 200)}`);
    text = "";
    if (!goesOn()) break;
    socket.write(request);
  }
  socket.destroy();
}
