import type { TortureStand } from "../stand/torture-stand.ts";
import type { ReceiverName } from "../stand/webhook-receivers.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";

/** Checks invariant I16: no webhook is paused. The service may pause a webhook only after its receiver has failed for days. */
export async function checkPausedWebhooks(
  { retryingSql }: TortureStand,
  names: ReadonlyMap<string, ReceiverName>,
): Promise<InvariantResult> {
  const paused = await retryingSql<{ id: string; because: string | null }[]>`
    select id, paused_because as because from webhooks where status = 'PAUSED' and deleted_at is null`;
  return createInvariantResult(
    "I16",
    "no webhook is paused",
    `${names.size} webhooks`,
    paused.map(({ id, because }) => [null, `the webhook of ${names.get(id) ?? id} is PAUSED because of ${because}`]),
  );
}
