import { connect, type Socket } from "node:net";

/** What a load came to. */
export interface Load {
  readonly perSecond: number;
  /** Of every request, in ms. */
  readonly latencies: readonly number[];
}

/** Sends the same GET over so many connections, each the next when the answer is there, for so many seconds: as bare as pgbench. */
export async function requestOverAndOver(
  url: string,
  headers: Readonly<Record<string, string>>,
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
): Promise<Load> {
  const { hostname, port, pathname, search } = new URL(url);
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const all = await Promise.all(
    Array.from({ length: clients }, async () => oneClient(connect(Number(port), hostname), request, endsAt)),
  );
  const latencies = all.flat();
  return { perSecond: latencies.length / ((performance.now() - startedAt) / 1000), latencies };
}

async function oneClient(socket: Socket, request: string, endsAt: number): Promise<number[]> {
  const latencies: number[] = [];
  let received: Buffer[] = [];
  let sizeBytes = 0;
  let expectedBytes = Number.POSITIVE_INFINITY;
  let sentAt = performance.now();
  socket.setNoDelay(true).write(request);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received.push(chunk);
    sizeBytes += chunk.length;
    if (expectedBytes === Number.POSITIVE_INFINITY)
      expectedBytes = expectedSize(Buffer.concat(received).toString("latin1"));
    if (sizeBytes < expectedBytes) continue;
    latencies.push(performance.now() - sentAt);
    [received, sizeBytes, expectedBytes] = [[], 0, Number.POSITIVE_INFINITY];
    if (performance.now() > endsAt) break;
    sentAt = performance.now();
    socket.write(request);
  }
  socket.destroy();
  return latencies;
}

function expectedSize(text: string): number {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return Number.POSITIVE_INFINITY;
  if (!text.startsWith("HTTP/1.1 200")) throw new Error(`A request was answered ${text.slice(0, 300)}`);
  return headEnd + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1]);
}
