import type { ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import { findClientAddress, throttleKeyOf } from "./client-address.ts";

export interface ConnectionLimits {
  readonly total: number;
  /** Maximum number of connections per IPv4 address or IPv6 network (/64). 0 for no limit. */
  readonly perAddress: number;
  /**
   * Number of connections for health checks and metrics, in addition to `total`. Without them, a caller that holds all other connections would make
   * the process look dead.
   */
  readonly reserved: number;
  readonly reservedMs: number;
}

export const connectionRefusalReasons = ["address", "total"] as const;
export type ConnectionRefusalReason = (typeof connectionRefusalReasons)[number];

export interface ConnectionQuota {
  isReserved(socket: Socket): boolean;
  /** Marks a reserved connection as busy until the response has ended, so that it is not closed as idle. No effect on ordinary connections. */
  serve(socket: Socket, response: ServerResponse): void;
}

interface ReservedConnection {
  readonly address: string;
  response: ServerResponse | null;
  release(): void;
}

/**
 * Limits connections per address and in total, so that idle connections of one caller do not shut out others. A connection beyond a limit
 * becomes a reserved one, which serves only health and metrics and closes after `reservedMs`. One address gets at most half of the reserved
 * connections. If none is free, the oldest idle one closes: of the same address if that holds its half, or else of the address that holds the
 * most.
 */
export function createConnectionQuota(
  server: Server,
  limits: ConnectionLimits,
  onRefuse: (reason: ConnectionRefusalReason) => void,
): ConnectionQuota {
  const ordinary = createCount();
  const counted = createCount();
  const reservedPerAddress = Math.ceil(limits.reserved / 2);
  const reserved = new Map<Socket, ReservedConnection>();

  function freeReserved(address: string, reason: ConnectionRefusalReason): boolean {
    if (limits.reserved === 0) return false;
    const isAddressFull = counted.of(address) >= reservedPerAddress;
    if (!isAddressFull && counted.total < limits.reserved) return true;
    const from = isAddressFull ? address : counted.largest();
    const candidates = [...reserved].filter(([, held]) => held.address === from);
    const [socket, held] = candidates.find(([, { response }]) => !isInProgress(response)) ?? candidates[0]!;
    held.release();
    socket.destroy();
    onRefuse(reason);
    return true;
  }

  function reserve(address: string, socket: Socket): void {
    const timer = setTimeout(() => socket.destroy(), limits.reservedMs).unref();
    const releaseCount = counted.add(address);
    const release = (): void => {
      clearTimeout(timer);
      releaseCount();
      reserved.delete(socket);
    };
    reserved.set(socket, { address, response: null, release });
    socket.once("close", release);
  }

  server.prependListener("connection", (socket) => {
    const address = throttleKeyOf(
      findClientAddress({ remoteAddress: socket.remoteAddress, forwardedFor: undefined }, 0),
    );
    const isFull = ordinary.total >= limits.total;
    const reason = isFull ? "total" : "address";
    if (!isFull && (limits.perAddress === 0 || ordinary.of(address) < limits.perAddress)) {
      socket.once("close", ordinary.add(address));
    } else if (freeReserved(address, reason)) {
      reserve(address, socket);
    } else {
      socket.destroy();
      onRefuse(reason);
    }
  });
  return {
    isReserved: (socket) => reserved.has(socket),
    serve(socket, response) {
      const held = reserved.get(socket);
      if (held !== undefined) held.response = response;
    },
  };
}

function isInProgress(response: ServerResponse | null): boolean {
  return response !== null && !response.writableFinished && !response.destroyed;
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
    largest: (): string | undefined => [...held].toSorted(([, one], [, other]) => other - one)[0]?.[0],
    add(address: string): () => void {
      let isHeld = true;
      held.set(address, of(address) + 1);
      total += 1;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        total -= 1;
        if (of(address) > 1) held.set(address, of(address) - 1);
        else held.delete(address);
      };
    },
  };
}
