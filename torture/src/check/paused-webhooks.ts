import { retryUntilSuccess } from "../stand/database.ts";
import type { Stand } from "../stand/stand.ts";
import type { ReceiverName } from "../stand/webhook-receivers.ts";
import { createFinding, type Finding } from "./finding.ts";

/** Checks invariant I16: no webhook is paused. The service may pause a webhook only after its receiver has failed for days. */
export async function checkPausedWebhooks(
  { sql }: Pick<Stand, "sql">,
  names: ReadonlyMap<string, ReceiverName>,
): Promise<Finding> {
  const paused = await retryUntilSuccess(
    () => sql<{ id: string; because: string | null }[]>`
      select id, paused_because as because from webhooks where status = 'PAUSED' and deleted_at is null`,
  );
  return createFinding(
    "I16",
    "no webhook is paused",
    `${names.size} webhooks`,
    paused.map(({ id, because }) => [null, `the webhook of ${names.get(id) ?? id} is PAUSED because of ${because}`]),
  );
}
