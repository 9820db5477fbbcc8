import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { ServerLimits } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { createHttpServer } from "../server.ts";

async function serve(connections: Partial<ServerLimits["connections"]>, servesProbesOnly = false) {
  const refused: string[] = [];
  const server = createHttpServer((request, response) => response.end(`[${request.url}]`), {
    newId: () => "the-request-id",
    basePath: "",
    limits: { connections: { total: 4, perAddress: 0, reserved: 1, reservedMs: 60_000, ...connections } },
    observer: { onRefused: (reason) => void refused.push(reason) },
    servesProbesOnly,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const open = async (localAddress = "127.0.0.1"): Promise<Socket> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  const ask = async (socket: Socket, path: string): Promise<string> => {
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await waitFor(() => socket.closed || /\]|\}$/.test(answer), { what: "a response or the end" });
    return answer;
  };
  return {
    open,
    ask,
    refused,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

test.runIf(process.platform === "linux")(
  "idle connections of one address count only towards its own limit",
  async () => {
    await using server = await serve({ perAddress: 2, reserved: 0 });
    const idle = [await server.open(), await server.open()];
    const third = await server.open();
    expect(await server.ask(third, "/a")).toBe("");
    expect(server.refused).toEqual(["address"]);
    expect(await server.ask(await server.open("127.0.0.2"), "/b")).toContain("[/b]");
    idle[0]!.destroy();
    await waitFor(async () => (await server.ask(await server.open(), "/c")).includes("[/c]"), {
      what: "a free connection",
    });
  },
);

test("at the connection limit, only probes are answered, on reserved connections", async () => {
  await using server = await serve({ total: 2 });
  const idle = [await server.open(), await server.open()];
  for (const path of ["/health/live", "/health/ready", "/metrics"]) {
    const probe = await server.open();
    const answer = await server.ask(probe, path);
    expect(answer).toContain(`[${path}]`);
    expect(answer).toMatch(/^Connection: close\r$/im);
    if (!probe.closed) await once(probe, "close");
  }
  const other = await server.open();
  const refusal = await server.ask(other, "/v1/proxies");
  expect(refusal).toMatch(/^HTTP\/1\.1 503 /);
  expect(refusal).toMatch(/^Retry-After: \d+\r$/im);
  expect(refusal).toContain('"code":"too-many-connections"');
  expect(refusal).toContain('"requestId":"the-request-id"');
  expect(idle.every(({ closed }) => !closed)).toBe(true);
});

test.runIf(process.platform === "linux")("a client address at its connection limit can still send probes", async () => {
  await using server = await serve({ perAddress: 1 });
  await server.open();
  expect(await server.ask(await server.open(), "/health/live")).toContain("[/health/live]");
});

test("the server closes an idle connection that is reserved for probes", async () => {
  await using server = await serve({ total: 1, reservedMs: 50 });
  await server.open();
  const idle = await server.open();
  await once(idle, "close");
  // On a busy machine, the 50 ms after which the reserved connection closes can pass before the probe is sent. So the test repeats the probe.
  const answer = await waitFor(async () => server.ask(await server.open(), "/health/live"), { what: "a response" });
  expect(answer).toContain("[/health/live]");
});

test("the server of PROBE_PORT answers 404 to any request except probes", async () => {
  await using server = await serve({}, true);
  expect(await server.ask(await server.open(), "/health/live?x=1")).toContain("[/health/live?x=1]");
  expect(await server.ask(await server.open(), "/v1/proxies")).toMatch(/^HTTP\/1\.1 404 [^]*"code":"path-not-found"/);
});
