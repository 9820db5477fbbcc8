import { createServer } from "node:net";

/** Below those that Linux gives to whoever asks for any port, as each connection to elsewhere does; browsers ask nobody at 10080. */
const [lowest, highest] = [11_000, 32_767];
/** From where this process looks on: it gives no port twice before it has given all. */
let next = lowest + Math.floor(Math.random() * (highest - lowest));

/** A TCP port of the loopback that nobody listens on right now. Another process may still be quicker: try again then. */
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
