import { setTimeout as wait } from "node:timers/promises";
import { reportVariants } from "../load/report-variants.ts";
import type { StandFault } from "./fault.ts";

/** Shortest freeze in ms. It exceeds the 10 s for which the API waits for Postgres, so that calls fail. */
const shortestMs = 14_000;
const longestMs = 22_000;
const betweenStartsMs = 150;

export const freezePostgresFault: StandFault = {
  name: "Postgres frozen",
  weight: 1,
  async inject({ stand, caller, ledger, random }) {
    const from = Date.now();
    const endsAt = from + random.integer(shortestMs, longestMs);
    const thaw = stand.database.freeze();
    const starts: Promise<void>[] = [];
    try {
      for (let number = 1; Date.now() < endsAt; number++) {
        const variant = random.pick(reportVariants);
        const title = `frozen-${from}-${number}`;
        const start = caller.startOnce(variant.request, title).then(({ status, id }) => {
          if (id !== null) ledger.entries.set(id, { id, key: title, variant });
          else if (status !== 0) ledger.refused.set(title, status);
        });
        starts.push(start);
        await wait(betweenStartsMs);
      }
    } finally {
      thaw();
    }
    ledger.outages.push({ from, to: Date.now() });
    await Promise.all(starts);
    return true;
  },
};
