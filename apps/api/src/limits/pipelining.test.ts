import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage, RequestListener } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { createHttpServer } from "../server.ts";

async function serve(listener: RequestListener) {
  const state = { unanswered: 0, most: 0, started: 0 };
  const server = createHttpServer(
    (request, response) => {
      state.started += 1;
      state.unanswered += 1;
      state.most = Math.max(state.most, state.unanswered);
      response.once("close", () => (state.unanswered -= 1));
      listener(request, response);
    },
    { newId: () => "the-request-id", basePath: "" },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    state,
    /** Shortens the time limit of headers that have not arrived yet. Node reads it at each of its checks, which run every second. */
    limitHeaders: () => (server.headersTimeout = 200),
    connect: (): Socket => connect((server.address() as AddressInfo).port, "127.0.0.1"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers with the path and the body of the request, but only in a later turn of the event loop. */
const echo: RequestListener = (request, response) =>
  void text(request).then(async (body) => {
    await setImmediate();
    response.end(`[${request.url} ${body}]`);
  });

const get = (path: string, end = ""): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${end}\r\n`;
const last = (path: string): string => get(path, "Connection: close\r\n");
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

async function read(socket: Socket): Promise<string> {
  return (await socket.setEncoding("utf8").toArray()).join("");
}

test("the server answers 3,000 pipelined requests in order, few at the same time", async () => {
  await using server = await serve(echo);
  const socket = server.connect();
  socket.write(
    `${numbers(3_000)
      .map((index) => get(`/${index}`))
      .join("")}${last("/end")}`,
  );
  const answered = [...(await read(socket)).matchAll(/\[(\S+) \]/g)].map(([, path]) => path);
  expect(answered).toEqual([...numbers(3_000).map((index) => `/${index}`), "/end"]);
  expect(server.state.most).toBeLessThan(20);
});

test("the server answers pipelined bodies in order, even if one looks like a request", async () => {
  await using server = await serve(echo);
  const socket = server.connect();
  const bodies = numbers(40).map((index) => (index % 2 === 0 ? "\r\n\r\n".repeat(index * 200) : get(`/not-${index}`)));
  const sent = bodies.map(
    (body, index) => `POST /${index} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const whole = Buffer.from(`${sent.join("")}${last("/end")}`);
  const answer = read(socket);
  for (let start = 0; start < whole.length; start += 777) {
    if (!socket.write(whole.subarray(start, start + 777))) await once(socket, "drain");
    if (start % 7 === 0) await setImmediate();
  }
  const expected = bodies.map((body, index) => `[/${index} ${body}]`);
  expect((await answer).match(/\[\/[^[]*\]/g)).toEqual([...expected, "[/end ]"]);
});

test("a request body that the handler does not read delays no later response", async () => {
  await using server = await serve((request, response) => response.end(`[${request.url}]`));
  const socket = server.connect();
  const body = "x".repeat(300_000);
  socket.write(`POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}${last("/b")}`);
  expect((await read(socket)).match(/\[\/\w\]/g)).toEqual(["[/a]", "[/b]"]);
});

test("while a client reads no response, few of its pipelined requests are started", async () => {
  await using server = await serve((_, response) => response.end(Buffer.alloc(32 * 1024 * 1024)));
  const socket = server.connect();
  socket.write(
    numbers(1_500)
      .map((index) => get(`/${index}`))
      .join(""),
  );
  await once(socket, "readable");
  const other = server.connect();
  other.write(last("/other"));
  expect((await other.toArray()).length).toBeGreaterThan(0);
  expect(server.state.started).toBeLessThan(20);
  socket.destroy();
  await waitFor(() => server.state.unanswered <= 1, { what: "the unread response to be abandoned" });
});

test.for([0, 1, 255, 256, 257, 511, 100_000])(
  "while a request of %i bytes is in progress, few pipelined ones are parsed",
  async (length) => {
    await using server = await serve((request, response) => {
      if (request.url === "/other") response.end();
      else request.resume();
    });
    let parsed = 0;
    const count = (): void => void (parsed += 1);
    subscribe("http.server.request.start", count);
    const [socket, other] = [server.connect(), server.connect()];
    const body = "x".repeat(length);
    socket.write(`POST /held HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`);
    socket.write(get("/behind").repeat(1_500));
    await waitFor(() => parsed > 1, { what: "a request after the first one" });
    other.write(last("/other"));
    await other.toArray();
    unsubscribe("http.server.request.start", count);
    expect(parsed).toBeLessThan(30);
  },
);

test("the body of a pipelined request is not read while an earlier one is in progress", async () => {
  await using server = await serve((request, response) => {
    if (request.url === "/other") response.end();
  });
  const parsed: IncomingMessage[] = [];
  const note = (message: unknown): void => void parsed.push((message as { request: IncomingMessage }).request);
  subscribe("http.server.request.start", note);
  const [socket, other] = [server.connect(), server.connect()];
  socket.write(`${get("/held")}POST /behind HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n${"x".repeat(50_000)}`);
  await waitFor(() => parsed.length === 2, { what: "the second request" });
  other.write(last("/other"));
  await other.toArray();
  unsubscribe("http.server.request.start", note);
  expect(parsed.map(({ url }) => url)).toEqual(["/held", "/behind", "/other"]);
  expect(parsed[1]!.readableLength).toBeLessThan(1_000);
});

test("a pipelined request parsed in two parts survives the header timeout", async () => {
  const released = Promise.withResolvers<void>();
  await using server = await serve(
    (request, response) => void released.promise.then(() => response.end(`[${request.url}]`)),
  );
  const socket = server.connect();
  // The server parses 256 bytes at a time, so it parses the second of these requests in two parts.
  socket.write(`${get("/slow", `X-Long: ${"x".repeat(190)}\r\n`)}${last("/split")}`);
  await waitFor(() => server.state.started === 1, { what: "the slow request" });
  server.limitHeaders();
  const late = server.connect();
  // This incomplete request on another connection runs into the timeout. So the timeout has also passed for the requests on `socket`.
  late.write("GET /late HTTP/1.1\r\nHost: x");
  expect(await read(late)).toContain(" 408 ");
  released.resolve();
  expect((await read(socket)).match(/\[\/\w+\]/g)).toEqual(["[/slow]", "[/split]"]);
});

test("an incomplete pipelined request is refused after the earlier slow response", async () => {
  const released = Promise.withResolvers<void>();
  await using server = await serve(
    (request, response) => void released.promise.then(() => response.end(`[${request.url}]`)),
  );
  const socket = server.connect();
  const half = "GET /half HTTP/1.1\r\nHost: x";
  socket.write(`${get("/slow")}${half}`);
  await waitFor(() => server.state.started === 1, { what: "the slow request" });
  server.limitHeaders();
  const late = server.connect();
  late.write(half);
  expect(await read(late)).toContain(" 408 ");
  released.resolve();
  const answer = await read(socket);
  expect(answer.indexOf("[/slow]")).toBeGreaterThan(0);
  expect(answer.indexOf(" 408 ")).toBeGreaterThan(answer.indexOf("[/slow]"));
  expect(server.state.started).toBe(1);
});

test("the header timeout excludes the time in which a pipelined request waits", async () => {
  const released = Promise.withResolvers<void>();
  await using server = await serve(
    (request, response) => void released.promise.then(() => response.end(`[${request.url}]`)),
  );
  const socket = server.connect();
  socket.write(`${get("/slow").repeat(40)}${last("/end")}`);
  await waitFor(() => server.state.started === 1, { what: "the slow request" });
  server.limitHeaders();
  const late = server.connect();
  // This incomplete request on another connection runs into the timeout. So the timeout has also passed for the requests on `socket`.
  late.write("GET /late HTTP/1.1\r\nHost: x");
  expect(await read(late)).toContain(" 408 ");
  released.resolve();
  expect((await read(socket)).match(/\[\/\w+\]/g)).toHaveLength(41);
});

test("the server starts no pipelined request after a response with Connection: close", async () => {
  await using server = await serve((_, response) => {
    response.setHeader("Connection", "close");
    setTimeout(() => response.end("[the last]"), 20);
  });
  const socket = server.connect();
  socket.write(get("/").repeat(40));
  expect((await read(socket)).match(/\[the last\]/g)).toHaveLength(1);
  await waitFor(() => server.state.unanswered === 0, { what: "the response to be closed" });
  await setImmediate();
  expect(server.state.started).toBe(1);
});

test("no pipelined request is started after the caller has disconnected", async () => {
  await using server = await serve(() => undefined);
  const socket = server.connect();
  socket.write(get("/").repeat(4));
  await waitFor(() => server.state.started === 1, { what: "the first request" });
  socket.destroy();
  await waitFor(() => server.state.unanswered === 0, { what: "the response to be closed" });
  await setImmediate();
  expect(server.state.started).toBe(1);
});

test("a flood on one connection does not delay other connections", async () => {
  await using server = await serve((request, response) => response.end(`[${request.url}]`));
  const [flooding, other] = [server.connect(), server.connect()];
  await Promise.all([once(flooding, "connect"), once(other, "connect")]);
  // The first responses show that the server has accepted both connections.
  for (const socket of [flooding, other]) {
    socket.write(get("/first"));
    await once(socket, "data");
  }
  const before = server.state.started;
  flooding.resume().write(get("/flood").repeat(2_000));
  other.write(last("/other"));
  await once(other, "data");
  expect(server.state.started - before).toBeLessThan(500);
  flooding.destroy();
});

test.each([
  ["garbage", "hello\r\n\r\n"],
  ["a tunnel", `CONNECT other:443 HTTP/1.1\r\nHost: other\r\n\r\n${get("/after")}`],
])("the server answers requests before %s, refuses it, and reads nothing after it", async (_, end) => {
  await using server = await serve(echo);
  const socket = server.connect();
  socket.write(
    `${numbers(100)
      .map((index) => get(`/${index}`))
      .join("")}${end}${get("/behind").repeat(2_000)}`,
  );
  const answer = await read(socket);
  expect(answer.match(/\[\/\d+ \]/g)).toHaveLength(100);
  expect(answer.match(/HTTP\/1\.1 400 /g)).toHaveLength(1);
  expect(server.state.started).toBe(100);
});
