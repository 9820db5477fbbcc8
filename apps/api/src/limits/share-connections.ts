import type { Server, Socket } from "node:net";
import { clientAddress, throttledAddress } from "./client-address.ts";

/** How many connections there may be at once. */
export interface ConnectionLimits {
  /** Of all callers. */
  readonly total: number;
  /** Of one address (of IPv6: one /64); 0 for no limit. */
  readonly perAddress: number;
  /** Beside those: reserved for probes, so that a caller who holds all others does not make the process look dead. */
  readonly reserved: number;
  /** How long one of the reserved may be open, in milliseconds. */
  readonly reservedMs: number;
}

/** Why a connection was refused. */
export const refusalReasons = ["address", "total"] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Of the reserved connections one address may hold so many: a probe needs one. */
const reservedPerAddress = 4;

/**
 * Gives each address its share of a server's connections, and refuses what is beyond: idle connections of one caller shut nobody else out.
 * What comes when the share or the server is full may still be a probe: it gets one of the reserved connections, which serve nothing else
 * and are open for a moment only. Gives what tells whether a connection is one of those.
 */
export function shareConnections(
  server: Server,
  limits: ConnectionLimits,
  onRefuse: (reason: RefusalReason) => void,
): (socket: Socket) => boolean {
  const ordinary = createCount();
  const reserved = createCount();
  const isReserved = new WeakSet<Socket>();
  server.maxConnections = limits.total + limits.reserved;
  server.on("drop", () => onRefuse("total"));
  server.prependListener("connection", (socket) => {
    const address = throttledAddress(
      clientAddress({ remoteAddress: socket.remoteAddress, forwardedFor: undefined }, 0),
    );
    const isFull = ordinary.total >= limits.total;
    if (!isFull && (limits.perAddress === 0 || ordinary.of(address) < limits.perAddress)) {
      ordinary.hold(address, socket);
    } else if (reserved.total < limits.reserved && reserved.of(address) < reservedPerAddress) {
      reserved.hold(address, socket);
      isReserved.add(socket);
      const timer = setTimeout(() => socket.destroy(), limits.reservedMs).unref();
      socket.once("close", () => clearTimeout(timer));
    } else {
      socket.destroy();
      onRefuse(isFull ? "total" : "address");
    }
  });
  return (socket) => isReserved.has(socket);
}

function createCount() {
  const held = new Map<string, number>();
  let total = 0;
  const of = (address: string): number => held.get(address) ?? 0;
  return {
    get total() {
      return total;
    },
    of,
    hold(address: string, socket: Socket): void {
      held.set(address, of(address) + 1);
      total += 1;
      socket.once("close", () => {
        total -= 1;
        if (of(address) > 1) held.set(address, of(address) - 1);
        else held.delete(address);
      });
    },
  };
}
