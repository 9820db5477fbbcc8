import { once } from "node:events";
import type { Socket } from "node:net";

/** What was answered to requests that were repeated. */
export interface Answers {
  /** By status. */
  readonly counts: ReadonlyMap<number, number>;
  readonly bytes: number;
}

/** Asks on one connection again and again, each request when the answer before it is there, until the time or the connection is over. */
export async function repeatRequest(socket: Socket, nextRequest: () => string, untilMs: number): Promise<Answers> {
  const counts = new Map<number, number>();
  let bytes = 0;
  const closing = new AbortController();
  socket.once("close", () => closing.abort());
  socket.resume();
  while (performance.now() < untilMs) {
    socket.write(nextRequest());
    let answer = "";
    for (let length = Number.POSITIVE_INFINITY; answer.length < length;) {
      const chunks = await once(socket, "data", { signal: closing.signal }).catch(() => null);
      if (chunks === null) return { counts, bytes };
      const [chunk] = chunks as [Buffer];
      answer += chunk.toString("latin1");
      const [head = ""] = answer.split("\r\n\r\n", 1);
      if (head.length < answer.length) length = head.length + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      bytes += chunk.length;
    }
    const status = Number(answer.slice("HTTP/1.1 ".length).slice(0, 3));
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return { counts, bytes };
}

/** What came of all connections together, by status: "12 × 401, 3 × 429". */
export function describeAnswers(all: readonly Answers[]): string {
  const counts = new Map<number, number>();
  for (const { counts: own } of all) {
    for (const [status, count] of own) counts.set(status, (counts.get(status) ?? 0) + count);
  }
  const sorted = [...counts].toSorted(([one], [other]) => one - other);
  return sorted.map(([status, count]) => `${count} × ${status}`).join(", ") || "no answers";
}
