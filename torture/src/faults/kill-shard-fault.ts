import { setTimeout as wait } from "node:timers/promises";
import { waitFor } from "@reports/testing";
import { countFault } from "../load/ledger.ts";
import { shardedTypeName } from "../report-types.ts";
import type { FaultContext, StandFault } from "./fault.ts";

export const killShardFault: StandFault = {
  name: "shard killed",
  weight: 1,
  appliesTo: ({ shards }) => shards !== null,
  async inject({ stand, random }) {
    if (stand.shards === null) return false;
    // Only reports in their first or second attempt count. A later attempt is retried only after such a long delay that the report would take
    // minutes to end.
    const isRead = async (): Promise<boolean> => {
      const found = await stand.retryingSql`
        select from reports where report_type = ${shardedTypeName} and status = 'RUNNING' and attempt <= 2 limit 1`;
      return found.length > 0;
    };
    const met = await waitFor(isRead, {
      what: "a report that reads the shard",
      timeoutMs: 30_000,
      intervalMs: 20,
    }).catch(() => false);
    if (!met) return false;
    await stand.shards.outage(random.integer(500, 4_000));
    return true;
  },
};

export async function killShardsRepeatedly(context: FaultContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(context.random.integer(2_000, 10_000), undefined, { signal }).catch(() => undefined);
    if (!signal.aborted && (await killShardFault.inject(context))) countFault(context.ledger, killShardFault.name);
  }
}
