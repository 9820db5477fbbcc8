import { connect, type Socket } from "node:net";

export interface LoadResult {
  readonly perSecond: number;
  /** Time in ms of each response. */
  readonly latencies: readonly number[];
}

export type LoadAmount = { readonly clients: number } & ({ readonly seconds: number } | { readonly requests: number });

/**
 * Repeats one request on several connections without a pause, as pgbench does. It is a POST if there is a body, otherwise a GET.
 * @param headers the headers of one caller, or one set of headers per caller, which are used in turn
 */
export async function repeatRequest(
  url: string,
  headers: Readonly<Record<string, string>> | readonly Readonly<Record<string, string>>[],
  amount: LoadAmount,
  body?: object,
): Promise<LoadResult> {
  const { hostname, host, port, pathname, search } = new URL(url);
  const text = body === undefined ? "" : JSON.stringify(body);
  const method = body === undefined ? "GET" : "POST";
  const requests = [headers].flat().map((own) => {
    const all = { host, ...own, ...(body !== undefined && { "content-length": String(text.length) }) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n${text}`;
  });
  let sent = 0;
  const next = (): string => requests[sent++ % requests.length]!;
  const startedAt = performance.now();
  const latencies: number[] = [];
  const isOver = (): boolean =>
    "seconds" in amount
      ? performance.now() > startedAt + amount.seconds * 1000
      : latencies.length + amount.clients > amount.requests;
  await Promise.all(
    Array.from({ length: amount.clients }, async () =>
      requestOn(connect(Number(port), hostname), next, (latency) => {
        latencies.push(latency);
        return isOver();
      }),
    ),
  );
  return { perSecond: latencies.length / ((performance.now() - startedAt) / 1000), latencies };
}

async function requestOn(socket: Socket, next: () => string, isLast: (latency: number) => boolean): Promise<void> {
  let received: Buffer[] = [];
  let sizeBytes = 0;
  let expectedBytes = Number.POSITIVE_INFINITY;
  let sentAt = performance.now();
  socket.setNoDelay(true).write(next());
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received.push(chunk);
    sizeBytes += chunk.length;
    if (expectedBytes === Number.POSITIVE_INFINITY)
      expectedBytes = expectedSize(Buffer.concat(received).toString("latin1"));
    if (sizeBytes < expectedBytes) continue;
    [received, sizeBytes, expectedBytes] = [[], 0, Number.POSITIVE_INFINITY];
    if (isLast(performance.now() - sentAt)) break;
    sentAt = performance.now();
    socket.write(next());
  }
  socket.destroy();
}

function expectedSize(text: string): number {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return Number.POSITIVE_INFINITY;
  if (!/^HTTP\/1\.1 20[02] /.test(text)) throw new Error(`Unexpected response: ${text.slice(0, 300)}`);
  return headEnd + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1]);
}
