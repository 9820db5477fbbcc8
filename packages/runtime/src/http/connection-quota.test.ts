import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, test } from "vitest";
import { createConnectionQuota, type ConnectionLimits, type ConnectionRefusalReason } from "./connection-quota.ts";

async function serve(limits: Partial<ConnectionLimits>) {
  const server = createServer((_, response) => response.end("fine"));
  const refused: ConnectionRefusalReason[] = [];
  const all = { total: 0, perAddress: 0, reserved: 4, reservedMs: 60_000, ...limits };
  const connections = createConnectionQuota(server, all, (reason) => refused.push(reason));
  server.prependListener("request", ({ socket }, response) => connections.serve(socket, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    refused,
    async open(localAddress: string): Promise<Socket> {
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      socket.on("error", () => undefined);
      await Promise.all([once(server, "connection"), once(socket, "connect")]);
      return socket;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function isAnswered(socket: Socket): Promise<boolean> {
  socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  return (await socket.setEncoding("utf8").toArray()).join("").includes("fine");
}

test.runIf(process.platform === "linux")(
  "a health check gets a reserved connection although idle ones use up the limit",
  async () => {
    await using server = await serve({});
    for (let index = 0; index < 40; index++) await server.open("127.0.0.2");
    expect(await isAnswered(await server.open("127.0.0.2"))).toBe(true);
    // The address may hold two of the four reserved connections, so the server closed 39 of its connections.
    expect(server.refused).toEqual(Array.from({ length: 39 }, () => "total"));
  },
);

test.runIf(process.platform === "linux")(
  "idle connections of one address leave half of the reserved connections free",
  async () => {
    await using server = await serve({});
    const others = [await server.open("127.0.0.3"), await server.open("127.0.0.4")];
    for (let index = 0; index < 10; index++) await server.open("127.0.0.2");
    for (const other of others) expect(await isAnswered(other)).toBe(true);
  },
);

test.runIf(process.platform === "linux")(
  "if no reserved connection is free, the address that holds most loses one",
  async () => {
    await using server = await serve({ reserved: 5 });
    const [oldest] = [await server.open("127.0.0.3"), await server.open("127.0.0.2")];
    for (let index = 0; index < 3; index++) await server.open(`127.0.0.${index === 2 ? 4 : 2}`);
    expect(server.refused).toEqual([]);
    expect(await isAnswered(await server.open("127.0.0.5"))).toBe(true);
    expect(server.refused).toEqual(["total"]);
    expect(await isAnswered(oldest)).toBe(true);
  },
);

test("a quota without reserved connections refuses a connection beyond the limit", async () => {
  await using server = await serve({ reserved: 0 });
  expect(await isAnswered(await server.open("127.0.0.1"))).toBe(false);
  expect(server.refused).toEqual(["total"]);
});
