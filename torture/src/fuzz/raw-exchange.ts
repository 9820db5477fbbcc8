import { connect } from "node:net";

export interface RawResponse {
  readonly status: number;
  /** Header values by name in lower case. A repeated header has its last value. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Maximum ms to wait for a response. It exceeds the time for which the API waits for a complete request, and the maximum of `Prefer: wait`. */
const patienceMs = 45_000;

/** Sends bytes on a new connection. Returns the first response (of an event stream, only the head), or a text that says how the connection ended. */
export async function exchangeRawHttp(
  port: number,
  bytes: Buffer,
  { isHead, halfClose }: { readonly isHead: boolean; readonly halfClose: boolean },
): Promise<RawResponse | string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    const finish = (outcome: RawResponse | string): void => {
      clearTimeout(timer);
      resolve(outcome);
      socket.destroy();
    };
    const timer = setTimeout(() => finish(`no response within ${patienceMs / 1000} s`), patienceMs);
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      const response = parseResponse(Buffer.concat(chunks), isHead, false);
      if (response !== null) finish(response);
    });
    const ended = (how: string): void => {
      const received = Buffer.concat(chunks);
      finish(parseResponse(received, isHead, true) ?? `${how} after ${received.length} bytes`);
    };
    socket.on("error", (error: NodeJS.ErrnoException) => ended(error.code ?? error.message));
    socket.on("end", () => ended("closed"));
    socket.write(bytes);
    if (halfClose) socket.end();
  });
}

function parseResponse(bytes: Buffer, isHead: boolean, isAll: boolean): RawResponse | null {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const [first = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? Number.NaN);
  const rest = bytes.subarray(headEnd + 4);
  if (status === 100) return parseResponse(rest, isHead, isAll);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const isEmpty = isHead || status === 204 || status === 304;
  if (isEmpty || headers.get("content-type") === "text/event-stream") return { status, headers, body: Buffer.alloc(0) };
  const length = headers.get("content-length");
  if (length !== undefined)
    return rest.length < Number(length) ? null : { status, headers, body: rest.subarray(0, Number(length)) };
  if (headers.get("transfer-encoding") === "chunked")
    return rest.includes("0\r\n\r\n") ? { status, headers, body: rest } : null;
  return isAll ? { status, headers, body: rest } : null;
}
