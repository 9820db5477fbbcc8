import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { SeededRandom } from "@reports/testing";

export const downloadAbortWays = ["at a byte", "before the head", "after a pause"] as const;

export interface DownloadToAbort {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly size: number;
}

export async function abortDownload(
  random: SeededRandom,
  { port, path, token, size }: DownloadToAbort,
  way: (typeof downloadAbortWays)[number],
): Promise<string | null> {
  const leaveAt = random.integer(1, size - 1);
  const beforeHeadMs = random.integer(0, 15);
  const pauseMs = random.integer(50, 1_000);
  const isReset = random.chance(0.5);
  const socket = connect(port, "127.0.0.1");
  let received = 0;
  let head = "";
  let failure: string | null = null;
  const ended = new Promise<void>((resolve) => {
    socket.on("error", (error) => (failure ??= `failed before the abort: ${error.message}`));
    socket.on("end", () => (failure ??= `ended before the abort, after ${received} bytes`));
    socket.on("close", () => resolve());
    if (way === "before the head") return;
    socket.on("data", (chunk) => {
      if (head.length < 12) head += chunk.toString("latin1", 0, 12);
      received += chunk.length;
      if (received >= leaveAt) resolve();
    });
  });
  await Promise.race([once(socket, "connect").catch(() => undefined), ended]);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  if (way === "before the head") await wait(beforeHeadMs);
  else await ended;
  if (way === "after a pause") {
    // Without a reader, all buffers between the store and the caller fill, as with a slow caller.
    socket.pause();
    await wait(pauseMs);
  }
  // `failure` is read before the abort, because the abort causes errors too.
  const problem = failure;
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
  if (problem !== null) return problem;
  return head === "" || head.startsWith("HTTP/1.1 200") ? null : `got ${JSON.stringify(head)}`;
}
