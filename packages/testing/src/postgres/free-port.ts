import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** Linux assigns ephemeral ports, above this range, to any connection. Browsers block port 10080, below this range. */
const [lowest, highest] = [11_000, 32_767];
/** The next port to try. A process tries all ports of the range before it returns one again. */
let next = lowest + Math.floor(Math.random() * (highest - lowest));

/**
 * Returns a free loopback port, and reserves it for this process and its children until this process ends. No other process gets it from this function.
 */
export async function findFreePort(host = "127.0.0.1"): Promise<number> {
  for (;;) {
    const port = next;
    next = port === highest ? lowest : port + 1;
    if ((await reserve(port)) && (await canListen(host, port))) return port;
  }
}

/**
 * Binds the UDP port with the same number. It stays bound, so that every other process skips this port. The TCP port stays free for the caller, who may
 * listen on it seconds later.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createSocket("udp4").unref();
    socket.once("error", (error: NodeJS.ErrnoException) => {
      socket.close();
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    // Without `exclusive`, the workers of a cluster would share the socket.
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () => resolve(true));
  });
}

function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
