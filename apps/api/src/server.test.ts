import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { ServerLimits } from "@reports/runtime";
import { expect, test } from "vitest";
import { createHttpServer } from "./server.ts";

async function serve(
  limits: Partial<ServerLimits> = {},
  listener: RequestListener = (_, response) => response.end("fine"),
) {
  const server = createHttpServer(listener, {
    newId: () => "the-request-id",
    basePath: "/base",
    limits,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    async send(text: string): Promise<string> {
      const socket = connect(port, "127.0.0.1");
      const chunks: Buffer[] = [];
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.on("error", () => undefined);
      socket.write(text);
      await once(socket, "close");
      return Buffer.concat(chunks).toString();
    },
    async reset(text: string): Promise<void> {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(text);
      await once(socket, "readable");
      socket.resetAndDestroy();
      await once(socket, "close");
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function problemOf(answer: string): Record<string, unknown> {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toContain("Content-Type: application/problem+json");
  expect(head).toContain("X-Request-Id: the-request-id");
  return JSON.parse(body) as Record<string, unknown>;
}

test.each([
  ["a header", (filler: string) => `GET / HTTP/1.1\r\nHost: x\r\nX-Filler: ${filler}\r\n\r\n`],
  ["the URL", (filler: string) => `GET /?${filler} HTTP/1.1\r\nHost: x\r\n\r\n`],
])("the server answers 16 KiB in %s with a 431 problem", async (_, request) => {
  await using server = await serve();
  const answer = await server.send(request("x".repeat(17_000)));
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(problemOf(answer)).toMatchObject({
    status: 431,
    code: "request-header-fields-too-large",
    requestId: "the-request-id",
    errors: [],
  });
});

test("the server accepts a request whose URL and headers have less than 16 KiB", async () => {
  await using server = await serve();
  expect(await server.send(`GET /?${"x".repeat(15_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 200 /,
  );
});

test.each([
  ["text that is not HTTP", "hello\r\n\r\n"],
  [
    "a length together with chunks",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
  ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde"],
  ["a CONNECT to another host", "CONNECT other:443 HTTP/1.1\r\nHost: other\r\n\r\n"],
  ["a line feed in a header's name", "GET / HTTP/1.1\r\nHost: x\r\nA\nB: c\r\n\r\n"],
])("the server answers %s with a 400 problem and closes the connection", async (_, text) => {
  await using server = await serve();
  const answer = await server.send(text);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(problemOf(answer)).toMatchObject({
    status: 400,
    code: "malformed-request",
    type: "/base/problems/malformed-request",
  });
});

test("the server answers a request with an unknown Expect header as if it had none", async () => {
  await using server = await serve();
  const answer = await server.send("GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test("the server answers headers that never end with a 408 problem", async () => {
  await using server = await serve({ headersTimeoutMs: 50, requestTimeoutMs: 100 });
  const answer = await server.send("GET / HTTP/1.1\r\nHost: x\r\n");
  expect(problemOf(answer)).toMatchObject({ status: 408, code: "request-timeout" });
});

test("the server closes an idle connection", async () => {
  await using server = await serve({ idleTimeoutMs: 50 }, () => undefined);
  expect(await server.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")).toBe("");
});

test("a connection that the client resets after CONNECT does not end the process", async () => {
  await using server = await serve();
  const unexpected: unknown[] = [];
  const collect = (error: unknown): void => void unexpected.push(error);
  process.on("uncaughtException", collect);
  try {
    for (let attempt = 0; attempt < 20; attempt++)
      await server.reset("CONNECT other:443 HTTP/1.1\r\nHost: other\r\n\r\n");
    expect(await server.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
    expect(unexpected).toEqual([]);
  } finally {
    process.off("uncaughtException", collect);
  }
});
