import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { TransferDirection, ProxyFault } from "./proxy-fault.ts";

export interface ProxyFaultState {
  readonly fault: ProxyFault;
  readonly changed: AbortSignal;
}

const throttleSlicesPerSecond = 20;

export function forwardWithFaults(
  client: Socket,
  upstream: { host: string; port: number },
  state: () => ProxyFaultState,
): void {
  const server = connect(upstream);
  for (const socket of [client, server]) {
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
  }
  const reset = (): void => {
    client.resetAndDestroy();
    server.resetAndDestroy();
  };
  client.once("close", () => server.destroy());
  void forwardBytes(client, server, "to-upstream", state, reset);
  void forwardBytes(server, client, "to-client", state, reset);
}

async function forwardBytes(
  from: Socket,
  to: Socket,
  direction: TransferDirection,
  state: () => ProxyFaultState,
  reset: () => void,
): Promise<void> {
  let resetting: ProxyFault | null = null;
  let forwardedBytes = 0;
  try {
    for await (const data of from.iterator({ destroyOnReturn: false })) {
      const chunk = data as Buffer;
      while (state().fault.kind === "black-hole") await waitForNextFault(state());
      const { fault, changed } = state();
      if (fault.kind === "reset" && fault.direction === direction) {
        if (resetting !== fault) [resetting, forwardedBytes] = [fault, 0];
        const remainingBytes = fault.afterBytes - forwardedBytes;
        forwardedBytes += chunk.length;
        if (chunk.length >= remainingBytes) {
          await writeChunk(to, chunk.subarray(0, remainingBytes));
          reset();
          return;
        }
        await writeChunk(to, chunk);
      } else if (fault.kind === "throttle") {
        const sliceBytes = Math.max(1, Math.floor(fault.bytesPerSecond / throttleSlicesPerSecond));
        for (let start = 0; start < chunk.length; start += sliceBytes) {
          const slice = chunk.subarray(start, start + sliceBytes);
          await writeChunk(to, slice);
          await delayUntilChange((slice.length / fault.bytesPerSecond) * 1_000, changed);
        }
      } else {
        if (fault.kind === "delay") await delayUntilChange(fault.ms, changed);
        await writeChunk(to, chunk);
      }
    }
    to.end();
  } catch {
    to.destroy();
  }
}

async function writeChunk(to: Socket, chunk: Buffer): Promise<void> {
  if (chunk.length === 0) return;
  if (to.destroyed) throw new Error("The other side has closed the connection.");
  if (to.write(chunk)) return;
  // The abort removes the listener of the event that did not happen. A large file waits here thousands of times, so listeners would pile up.
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(to, "drain", { signal }), once(to, "close", { signal })]).finally(() => waiting.abort());
}

async function waitForNextFault({ changed }: ProxyFaultState): Promise<void> {
  if (!changed.aborted) await once(changed, "abort");
}

async function delayUntilChange(ms: number, changed: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: changed }).catch(() => undefined);
}
