import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { closeServer, listen } from "./listen.ts";

test("a closing server still sends a written response to a slow reader", async () => {
  const body = Buffer.alloc(16 * 1024 * 1024, "a");
  const ended = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    response.end(body);
    ended.resolve();
  });
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  const [response] = (await once(get({ port, host: "127.0.0.1" }), "response")) as [IncomingMessage];
  response.pause();
  await ended.promise;
  const closed = closeServer(server, AbortSignal.timeout(30_000));
  let received = 0;
  for await (const chunk of response) received += (chunk as Buffer).length;
  expect(received).toBe(body.length);
  await closed;
});

test("a closing server refuses new connections, but waits for an unfinished response", async () => {
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    response.write("begin ");
    responses.push(response);
  });
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  const [response] = (await once(get({ port, host: "127.0.0.1" }), "response")) as [IncomingMessage];
  const sweeps = vi.spyOn(server, "closeIdleConnections");
  const closed = closeServer(server, AbortSignal.timeout(30_000));
  // The server has looked for idle connections several times, and has kept this one.
  await expect.poll(() => sweeps.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(2);
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow("fetch failed");
  responses[0]!.end("end");
  expect(await text(response)).toBe("begin end");
  await closed;
});

test("a closing server sends a finished response even if the next request has arrived", async () => {
  const bytes = 16 * 1024 * 1024;
  const read = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    if (request.url === "/next") read.resolve();
    else response.end(Buffer.alloc(bytes, "a"));
  });
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  const socket = connect(port, "127.0.0.1");
  socket.write(["/first", "/next"].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  await read.promise;
  const closed = closeServer(server, AbortSignal.timeout(30_000));
  let received = 0;
  for await (const chunk of socket) {
    received += (chunk as Buffer).length;
    if (received > bytes) break;
  }
  expect(received).toBeGreaterThan(bytes);
  await closed;
});

test("a closing server immediately closes idle keep-alive connections", async () => {
  const server = createServer((_, response) => response.end("done"));
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  const answer = await fetch(`http://127.0.0.1:${port}`);
  expect(await answer.text()).toBe("done");
  await closeServer(server, AbortSignal.timeout(30_000));
});

test("a server adds no listener to responses, because Node would print a warning", async () => {
  const counts: number[] = [];
  const server = createServer((_, response) => {
    counts.push(response.listenerCount("close"));
    response.end();
  });
  const bare = createServer((_, response) => {
    counts.push(response.listenerCount("close"));
    response.end();
  });
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  bare.listen(0, "127.0.0.1");
  await once(bare, "listening");
  for (const at of [port, (bare.address() as AddressInfo).port]) await (await fetch(`http://127.0.0.1:${at}`)).text();
  expect(counts[0]).toBe(counts[1]);
  for (const each of [server, bare]) await closeServer(each, AbortSignal.timeout(5_000));
});
