import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
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
    connect: (): Socket => connect((server.address() as AddressInfo).port, "127.0.0.1"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers with its path and its body, after a turn of the event loop. */
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

test("of 3,000 requests written at once each is answered, in order, and few are in hand at any time", async () => {
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

test("requests with bodies are answered in order however they are cut, bodies that look like requests included", async () => {
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

test("a body that nobody reads holds its request back and not the answers", async () => {
  await using server = await serve((request, response) => response.end(`[${request.url}]`));
  const socket = server.connect();
  const body = "x".repeat(300_000);
  socket.write(`POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}${last("/b")}`);
  expect((await read(socket)).match(/\[\/\w\]/g)).toEqual(["[/a]", "[/b]"]);
});

test("while an answer is not read, no other request of its connection is begun", async () => {
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
  await waitFor(() => server.state.unanswered <= 1, { what: "the unread answer to be given up" });
});

test("a flood on one connection leaves the event loop to the others", async () => {
  await using server = await serve((request, response) => response.end(`[${request.url}]`));
  const [flooding, other] = [server.connect(), server.connect()];
  await Promise.all([once(flooding, "connect"), once(other, "connect")]);
  // Both are accepted, and idle.
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
])("what stands before %s is answered, then it is refused, and nothing behind it is read", async (_, end) => {
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
