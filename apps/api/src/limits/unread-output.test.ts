import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { createHttpServer } from "../server.ts";

const mebibyte = 1024 ** 2;
/** The response is larger than the kernel's buffers. So the server must keep the rest in memory while nothing reads it. */
const answer = Buffer.alloc(16 * mebibyte);

test("above the limit of unread output, readers that idle longest are disconnected", async () => {
  const dropped: number[] = [];
  let unread = { bytes: () => 0 };
  const server = createHttpServer((_, response) => response.end(answer), {
    newId: () => "the-request-id",
    basePath: "",
    limits: { unreadOutputBytes: 64 * mebibyte },
    observer: {
      watch: (_, output) => void (unread = output),
      onUnreadOutput: ({ waitingBytes }) => void dropped.push(waitingBytes),
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ask = async (): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    // If the server closes the connection early, "readable" never fires.
    await once(socket, "readable").catch(() => undefined);
    return socket;
  };
  const first = await ask();
  const silent = [first, ...(await Promise.all(Array.from({ length: 9 }, ask)))];
  expect(unread.bytes()).toBeGreaterThan(0);
  await waitFor(() => dropped.length > 0 && unread.bytes() <= 64 * mebibyte, {
    what: "the unread output to be below the limit",
  });
  let read = 0;
  for await (const chunk of await ask()) read += (chunk as Buffer).length;
  expect(read).toBeGreaterThan(answer.length);
  expect(unread.bytes()).toBeGreaterThan(0);
  expect(dropped.length).toBeLessThan(silent.length);
  first.resume();
  await waitFor(() => first.closed, { what: "the first connection to be closed" });
  expect(first.bytesRead).toBeLessThan(answer.length);
  for (const socket of silent) socket.destroy();
  server.close();
  await once(server, "close");
});
