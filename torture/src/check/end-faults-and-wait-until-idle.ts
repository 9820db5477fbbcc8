import { setTimeout as wait } from "node:timers/promises";
import type { TortureStand } from "../stand/torture-stand.ts";

export async function endFaultsAndWaitUntilIdle(stand: TortureStand, timeoutMs: number): Promise<void> {
  await stand.database.proxy.set({ kind: "none" });
  await stand.store.proxy?.set({ kind: "none" });
  for (const worker of stand.workers) worker.signal("SIGCONT");
  const endsAt = Date.now() + timeoutMs;
  for (let quiet = 0; quiet < 3 && Date.now() < endsAt;) {
    await wait(1_000);
    const [state] = await stand.retryingSql<{ moving: number }[]>`
      select (select count(*) from reports where status in ('QUEUED', 'RUNNING'))::int
        + (select count(*) from report_queue.jobs)::int
        + (select count(*) from report_schedules where status = 'ACTIVE' and next_fire_at < clock_timestamp() + interval '1 day')::int as moving`;
    quiet = state!.moving === 0 ? quiet + 1 : 0;
  }
}
