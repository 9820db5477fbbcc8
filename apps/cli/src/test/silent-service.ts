import { createServer, type AddressInfo, type Socket } from "node:net";

export async function startSilentGatewayStub() {
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.once("data", () => resolve());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    requested,
    environment: { REPORTS_URL: `http://127.0.0.1:${port}`, REPORTS_TOKEN: "any" },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
