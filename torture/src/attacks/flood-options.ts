import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { describeCounts } from "../check/describe-counts.ts";
import { attackerAddress, requestStatus, type RunningAttack } from "./running-attack.ts";

export interface FloodOptions {
  readonly connections: number;
  readonly pauseMs?: number;
  nextAuthorization(): string;
  /** Maximum responses per status within any minute. The API must send no other status. */
  readonly allowedPerMinute: Readonly<Record<number, number>>;
  /** Reports whether the attack already has an effect, from the number of responses per status. If undefined, the first response shows it. */
  isUnderWay?(counts: ReadonlyMap<number, number>): boolean;
}

/** Pause in ms after a connection without a response. Without it, retries on a closed port would use up a processor. */
const closedPauseMs = 100;

/** Maximum ms to wait until the attack is under way. An instance that is down would block the flood forever. */
const longestBeginMs = 60_000;

export async function startFlood(url: string, flood: FloodOptions): Promise<RunningAttack> {
  const { pauseMs = 0, isUnderWay = ({ size }: ReadonlyMap<number, number>) => size > 0 } = flood;
  const counts = new Map<number, number>();
  const startedAt = performance.now();
  const over = new AbortController();
  const underWay = Promise.withResolvers<void>();
  const agent = new Agent({ keepAlive: true, maxSockets: flood.connections });
  const connections = Array.from({ length: flood.connections }, async () => {
    while (!over.signal.aborted) {
      const headers = { Authorization: flood.nextAuthorization() };
      const options = { agent, localAddress: attackerAddress, headers, signal: over.signal };
      const status = await requestStatus(url, options).catch(() => null);
      if (status !== null) counts.set(status, (counts.get(status) ?? 0) + 1);
      if (isUnderWay(counts)) underWay.resolve();
      await wait(status === null ? closedPauseMs : pauseMs);
    }
  });
  const giveUp = setTimeout(underWay.resolve, longestBeginMs);
  await underWay.promise;
  clearTimeout(giveUp);
  return {
    async end() {
      over.abort();
      await Promise.all(connections);
      agent.destroy();
      // On a busy machine, an attack can last longer than a minute.
      const minutes = 1 + Math.floor((performance.now() - startedAt) / 60_000);
      const unexpected = [...counts].filter(
        ([status, count]) => count > (flood.allowedPerMinute[status] ?? 0) * minutes,
      );
      return {
        seen: describeCounts(counts),
        unexpected: [
          ...(isUnderWay(counts) ? [] : ["the attack never began"]),
          ...(unexpected.length === 0 ? [] : [describeCounts(unexpected)]),
        ],
      };
    },
  };
}
