import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** A TCP port of the loopback that nobody listens on right now. Another process may still be quicker: try again then. */
export function findFreePort(host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
