import { connect, type Socket } from "node:net";

export interface ConnectionAttack {
  readonly name: string;
  readonly connections: number;
  /** Called for each open connection. Sockets are paused, so they read nothing unless this function resumes them. */
  onOpen(socket: Socket, index: number): void;
}

const crlf = "\r\n";
const requestHead = (path: string, headers: string): string => `GET ${path} HTTP/1.1${crlf}Host: x${crlf}${headers}`;
const getRequest = (path: string, headers = ""): string => `${requestHead(path, headers)}${crlf}`;

/** Requests that a proxy could parse differently from the server (request smuggling). */
const smugglingRequests: readonly string[] = [
  `POST /health/live HTTP/1.1${crlf}Host: x${crlf}Content-Length: 4${crlf}Transfer-Encoding: chunked${crlf}${crlf}0${crlf}${crlf}`,
  `POST /health/live HTTP/1.1${crlf}Host: x${crlf}Content-Length: 1${crlf}Content-Length: 2${crlf}${crlf}ab`,
  `POST /health/live HTTP/1.1${crlf}Host: x${crlf}Transfer-Encoding: xchunked${crlf}${crlf}0${crlf}${crlf}`,
  `POST /health/live HTTP/1.1${crlf}Host: x${crlf}Transfer-Encoding : chunked${crlf}${crlf}0${crlf}${crlf}`,
  `GET /health/live HTTP/1.1${crlf}Host: x${crlf}A\nB: c${crlf}${crlf}`,
  `CONNECT other:443 HTTP/1.1${crlf}Host: other${crlf}${crlf}`,
];

const tlsHello = Buffer.concat([
  Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
  Buffer.alloc(506, 7),
]);

function writeRepeatedly(socket: Socket, write: () => void): void {
  const timer = setInterval(write, 200);
  socket.once("close", () => clearInterval(timer));
}

export const connectionAttacks: readonly ConnectionAttack[] = [
  { name: "idle connections", connections: 400, onOpen: () => undefined },
  {
    name: "connections that stay idle after a response",
    connections: 400,
    onOpen: (socket) => void socket.resume().write(getRequest("/health/live")),
  },
  {
    name: "headers that never end",
    connections: 400,
    onOpen(socket) {
      socket.write(requestHead("/health/live", ""));
      writeRepeatedly(socket, () => socket.write(`X-Slow: 1${crlf}`));
    },
  },
  {
    name: "bodies that never end",
    connections: 400,
    onOpen(socket) {
      socket.write(
        `POST /health/live HTTP/1.1${crlf}Host: x${crlf}Content-Type: application/json${crlf}Content-Length: 200000${crlf}${crlf}{`,
      );
      writeRepeatedly(socket, () => socket.write(" "));
    },
  },
  ...["/metrics", "/health/ready", "/health/live", "/nothing"].map((path) => ({
    name: `pipelined requests for ${path} whose responses are not read`,
    connections: 90,
    onOpen: (socket: Socket) => void socket.write(getRequest(path).repeat(1_800)),
  })),
  {
    name: "huge headers",
    connections: 90,
    onOpen: (socket) => void socket.write(requestHead("/health/live", `X-Huge: ${"x".repeat(1024 ** 2)}`)),
  },
  {
    name: "a huge request line",
    connections: 90,
    onOpen: (socket) => void socket.write(`GET /${"x".repeat(1024 ** 2)}`),
  },
  {
    name: "half-closed connections",
    connections: 400,
    onOpen: (socket, index) => void socket.end(index % 2 === 0 ? requestHead("/metrics", "") : getRequest("/metrics")),
  },
  {
    name: "resets behind a flood of requests",
    connections: 300,
    onOpen: (socket) => void socket.write(getRequest("/metrics").repeat(200), () => socket.resetAndDestroy()),
  },
  { name: "TLS hellos", connections: 300, onOpen: (socket) => void socket.write(tlsHello) },
  {
    name: "requests that can be read in two ways",
    connections: 300,
    onOpen: (socket, index) =>
      void socket.write(smugglingRequests[index % smugglingRequests.length]! + getRequest("/health/live").repeat(20)),
  },
  {
    name: "random bytes",
    connections: 300,
    onOpen: (socket, index) => void socket.write(Buffer.alloc(70_000, index + 1)),
  },
];

/** Opens the connections of an attack to a loopback port. Resolves when each is open or refused. Disposing closes them. */
export async function attackPort(
  port: number,
  { connections, onOpen }: ConnectionAttack,
  localAddress = "127.0.0.1",
): Promise<Disposable> {
  const sockets = await Promise.all(
    Array.from(
      { length: connections },
      async (_, index) =>
        new Promise<Socket>((resolve) => {
          const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true }).pause();
          socket.on("error", () => resolve(socket));
          socket.once("connect", () => {
            onOpen(socket, index);
            resolve(socket);
          });
        }),
    ),
  );
  return {
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
