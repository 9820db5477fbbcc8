import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface ListeningServer extends AsyncDisposable {
  /** `http://127.0.0.1` and the port. */
  readonly origin: string;
}

/** Lets a server listen on a port of the loopback interface; 0 chooses a free one. Disposing closes the server and its connections. */
export async function listenOnLoopback(server: Server, port = 0): Promise<ListeningServer> {
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
