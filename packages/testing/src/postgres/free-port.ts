import { createServer } from "node:net";

/** Below the ephemeral ports of Linux, which any connection may get; browsers block 10080. */
const [lowest, highest] = [11_000, 32_767];
/** The next candidate of this process, which returns each port once before it repeats one. */
let next = lowest + Math.floor(Math.random() * (highest - lowest));

/** A free loopback port. Another process may be quicker: try again then. */
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
