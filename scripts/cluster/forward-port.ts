import { once } from "node:events";
import { connect, createServer } from "node:net";

/** Forwards connections to `port` of an address to `target` of the loopback interface, until this process ends. */
export async function forwardPort(address: string, port: number, target: number): Promise<void> {
  const server = createServer((caller) => {
    const upstream = connect(target, "127.0.0.1");
    caller.pipe(upstream).pipe(caller);
    // An end of one connection that is not orderly ends the other one.
    caller.on("error", () => upstream.destroy());
    upstream.on("error", () => caller.destroy());
  });
  server.listen(port, address);
  await once(server, "listening");
}
