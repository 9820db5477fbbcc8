import { createServer } from "node:net";

/** Linux assigns ephemeral ports, above this range, to any connection. Browsers block port 10080, below this range. */
const [lowest, highest] = [11_000, 32_767];
/** The next port to try. A process tries all ports of the range before it returns one again. */
let next = lowest + Math.floor(Math.random() * (highest - lowest));

/** Returns a free loopback port. Another process can still take it before the caller listens on it. */
export async function findFreePort(host = "127.0.0.1"): Promise<number> {
  for (;;) {
    const port = next;
    next = port === highest ? lowest : port + 1;
    if (await canListen(host, port)) return port;
  }
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
