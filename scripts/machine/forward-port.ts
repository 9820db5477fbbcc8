import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { pipeline } from "node:stream";

/** Forwards connections to `port` of an address to `target` of the loopback interface, until disposed. The port 0 chooses a free one. */
export async function forwardPort(address: string, port: number, target: number) {
  const server = createServer((caller) => {
    const upstream = connect(target, "127.0.0.1");
    // `pipeline` destroys all its streams if one fails. The callback ignores the error, because a closed connection does not matter to a trial.
    pipeline(caller, upstream, caller, () => undefined);
  });
  await once(server.listen(port, address), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
