import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "../wait-for.ts";
import { createFaultProxy } from "./fault-proxy.ts";

const body = Buffer.alloc(300_000, "abc");
let echo: Server;
let web: Server;

beforeAll(async () => {
  echo = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.pipe(socket);
  }).listen(0, "127.0.0.1");
  web = createHttpServer((request, response) => {
    request.resume().on("end", () => response.end(body));
  }).listen(0, "127.0.0.1");
  await Promise.all([once(echo, "listening"), once(web, "listening")]);
});
afterAll(() => {
  echo.close();
  web.close();
});

async function proxyTo(server: Server) {
  return createFaultProxy({ upstream: { host: "127.0.0.1", port: (server.address() as AddressInfo).port } });
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

async function codeOfEnd(socket: Socket): Promise<string | undefined> {
  socket.resume();
  const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
  return error.code;
}

describe("the fault proxy", () => {
  it("the fault proxy without a fault forwards bytes in both directions", async () => {
    await using proxy = await proxyTo(echo);
    const socket = await open(proxy.port);
    socket.end(body);
    expect((await buffer(socket)).equals(body)).toBe(true);
    expect(proxy.bytesFromClients).toBe(body.length);
  });

  it("with the fault refuse, the proxy resets connections; later it accepts them again", async () => {
    await using proxy = await proxyTo(echo);
    const connection = await open(proxy.port);
    const ended = codeOfEnd(connection);
    await proxy.set({ kind: "refuse" });
    expect(await ended).toBe("ECONNRESET");
    await expect(open(proxy.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await proxy.set({ kind: "none" });
    (await open(proxy.port)).destroy();
  });

  it("with the fault black-hole, the proxy holds data back and forwards it afterwards", async () => {
    await using proxy = await proxyTo(echo);
    const socket = await open(proxy.port);
    const received: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    await proxy.set({ kind: "black-hole" });
    socket.write("hello");
    await waitFor(() => proxy.bytesFromClients === 5, { what: "the proxy to have read" });
    expect(received).toEqual([]);
    await proxy.set({ kind: "none" });
    await waitFor(() => Buffer.concat(received).toString() === "hello", { what: "the echo" });
    socket.destroy();
  });

  it.each(["to-upstream", "to-client"] as const)(
    "with the fault reset, the proxy resets a connection after the given bytes %s",
    async (direction) => {
      await using proxy = await proxyTo(echo);
      await proxy.set({ kind: "reset", direction, afterBytes: 100_000 });
      const socket = await open(proxy.port);
      let receivedBytes = 0;
      socket.on("data", (chunk: Buffer) => (receivedBytes += chunk.length));
      const ended = codeOfEnd(socket);
      socket.write(body);
      expect(["ECONNRESET", "EPIPE"]).toContain(await ended);
      expect(receivedBytes).toBeLessThanOrEqual(100_000);
    },
  );

  it("with the fault throttle or delay, the proxy still forwards all data", async () => {
    await using proxy = await proxyTo(echo);
    for (const fault of [
      { kind: "throttle", bytesPerSecond: 3_000_000 },
      { kind: "delay", ms: 5 },
    ] as const) {
      await proxy.set(fault);
      const socket = await open(proxy.port);
      socket.end(body);
      expect((await buffer(socket)).equals(body)).toBe(true);
    }
  });

  it("with the fault answer, the proxy answers matching requests and forwards others", async () => {
    await using proxy = await proxyTo(web);
    await proxy.set({ kind: "answer", status: 503, body: "busy", matches: ({ path }) => path === "/busy" });
    const busy = await fetch(`http://127.0.0.1:${proxy.port}/busy`);
    expect([busy.status, await busy.text()]).toEqual([503, "busy"]);
    const other = await fetch(`http://127.0.0.1:${proxy.port}/other`);
    expect(other.status).toBe(200);
    expect(Buffer.from(await other.arrayBuffer()).equals(body)).toBe(true);
  });

  it("with the fault truncate, the proxy cuts the body of a response short", async () => {
    await using proxy = await proxyTo(web);
    await proxy.set({ kind: "truncate", afterBytes: 1_000 });
    const answer = await fetch(`http://127.0.0.1:${proxy.port}/`);
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });
});
