import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { StoreUnavailableError } from "@reports/core/base";

const readBufferBytes = 1024 * 1024;

/** Returns a body of exactly `sizeBytes` as a stream, which fails if the store sends nothing for `idleTimeoutMs` while the reader waits. */
export function createObjectBodyStream(response: IncomingMessage, sizeBytes: number, idleTimeoutMs: number): Readable {
  // The timer of this function replaces the socket's, which would also run while nobody reads.
  response.socket.setTimeout(0);
  let receivedBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const fail = (message: string, cause?: unknown): void => {
    body.destroy(new StoreUnavailableError(message, { cause }));
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(
      () => fail(`The object store was silent for ${idleTimeoutMs} ms while a file was read.`),
      idleTimeoutMs,
    );
  };
  const body = new Readable({
    highWaterMark: readBufferBytes,
    read() {
      wait();
      response.resume();
    },
    destroy(error, callback) {
      clearTimeout(timer);
      response.destroy();
      callback(error);
    },
  });
  response.on("data", (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (body.push(chunk)) wait();
    else {
      clearTimeout(timer);
      response.pause();
    }
  });
  response.on("end", () => {
    clearTimeout(timer);
    // Node emits `end` only after all bytes of the Content-Length, so the body is complete.
    body.push(null);
  });
  const broken = (error: unknown): void => {
    if (body.destroyed || response.complete) return;
    if (error instanceof StoreUnavailableError) body.destroy(error);
    else
      fail(`The connection to the object store broke after ${receivedBytes} of ${sizeBytes} bytes of a file.`, error);
  };
  response.on("error", broken);
  response.on("close", () => broken(undefined));
  response.pause();
  return body;
}
