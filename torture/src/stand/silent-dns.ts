import { createSocket } from "node:dgram";
import { once } from "node:events";

export async function startSilentDnsServer() {
  let queries = 0;
  const socket = createSocket("udp4").on("message", () => queries++);
  await once(socket.bind(0, "127.0.0.1"), "listening");
  return {
    environment: { WEBHOOK_DNS_SERVERS: `127.0.0.1:${socket.address().port}` },
    get queries() {
      return queries;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}
